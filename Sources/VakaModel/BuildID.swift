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
        self.init(hex: Array(hex.utf8)[...])
    }

    /// The same of ASCII.
    init?(hex digits: ArraySlice<UInt8>) {
        guard !digits.isEmpty, digits.count.isMultiple(of: 2), digits.count <= 2 * Self.maximumBytes else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: digits.startIndex, to: digits.endIndex, by: 2) {
            guard let high = digits[index].hexadecimalValue, let low = digits[index + 1].hexadecimalValue else {
                return nil
            }
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

    public func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
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
}

extension BuildID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = BuildID(hex: text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: Self.problem(text))
        }
        self = value
    }

    static func problem(_ text: String) -> String {
        "\"\(text.prefix(80))\" is no build id; it is 1 to 32 bytes in hexadecimal"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
