// SPDX-License-Identifier: Apache-2.0

/// The NT_GNU_BUILD_ID of an ELF file: 1 to 32 bytes, written as lowercase hex.
public struct BuildID: Hashable, Sendable, CustomStringConvertible {
    public static let maximumBytes = 32

    public let bytes: [UInt8]

    /// Nil for an empty or overlong id.
    public init?(bytes: some Collection<UInt8>) {
        guard (1...Self.maximumBytes).contains(bytes.count) else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads an even number of hexadecimal digits of either case; nil for anything else.
    public init?(hex: some StringProtocol) {
        let digits = Array(hex.utf8)
        guard !digits.isEmpty, digits.count.isMultiple(of: 2), digits.count <= 2 * Self.maximumBytes else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Self.nibble(digits[index]), let low = Self.nibble(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        self.bytes = bytes
    }

    public var description: String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            for (index, byte) in bytes.enumerated() {
                text[2 * index] = Self.digit(byte >> 4)
                text[2 * index + 1] = Self.digit(byte & 15)
            }
            return 2 * bytes.count
        }
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") - 10 + nibble
    }

    /// The UUID form of the first 16 bytes, in their order (shorter ids are padded with zeros).
    public var debugID: String {
        let padded = (bytes + Array(repeating: 0, count: 16)).prefix(16)
        let hex = Array(BuildID(bytes: padded)?.description ?? "")
        return [hex[0..<8], hex[8..<12], hex[12..<16], hex[16..<20], hex[20..<32]].map { String($0) }.joined(
            separator: "-")
    }

    private static func nibble(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension BuildID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = BuildID(hex: text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\"\(text.prefix(80))\" is no build id; it is 1 to 32 bytes in hexadecimal")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
