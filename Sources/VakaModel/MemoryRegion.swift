// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// Bytes captured from the process's memory. Travels as an address and base64.
public struct MemoryRegion: Codable, Hashable, Sendable {
    public var address: HexAddress
    public var data: Data

    public init(address: HexAddress, data: Data) {
        self.address = address
        self.data = data
    }

    /// What stands for a word that was left out of a stack (``ThreadState/pointersOnly``); it is no address.
    package static let leftOut: UInt64 = 0xfefe_fefe_fefe_fefe

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case address, data
    }
}
