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
        let digits = text.hasPrefix("0x") || text.hasPrefix("0X") ? text.dropFirst(2) : text[...]
        guard let first = digits.first, first.isHexDigit, let value = UInt64(digits, radix: 16) else { return nil }
        rawValue = value
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
                in: container,
                debugDescription: "\"\(text.prefix(40))\" is no hexadecimal address; write it as \"0x1f\"")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
