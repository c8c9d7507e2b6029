// SPDX-License-Identifier: Apache-2.0

/// An address or a register's value; written in documents as `"0x…"`, lowercase, no leading zeros.
public struct HexAddress: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible {
    public var rawValue: UInt64

    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    public init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Reads `0x…` (either case) or bare hexadecimal digits; nil for anything else.
    public init?(hex text: some StringProtocol) {
        self.init(hex: Array(text.utf8)[...])
    }

    /// The same of ASCII.
    init?(hex text: ArraySlice<UInt8>) {
        let hasPrefix = text.starts(with: "0x".utf8) || text.starts(with: "0X".utf8)
        let digits = hasPrefix ? text.dropFirst(2) : text
        guard !digits.isEmpty else { return nil }
        rawValue = 0
        for digit in digits {
            guard let nibble = digit.hexadecimalValue, rawValue >> 60 == 0 else { return nil }
            rawValue = rawValue << 4 | UInt64(nibble)
        }
    }

    public var description: String { "0x" + String(rawValue, radix: 16) }

    public static func < (left: HexAddress, right: HexAddress) -> Bool { left.rawValue < right.rawValue }
}

extension HexAddress: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = HexAddress(hex: text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: Self.problem(text))
        }
        self = value
    }

    static func problem(_ text: String) -> String {
        "\"\(text.prefix(40))\" is no hexadecimal address; write it as \"0x1f\""
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
