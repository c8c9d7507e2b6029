// SPDX-License-Identifier: Apache-2.0

/// Names one capture of a screen. Written as a decimal string, since numbers above 2^53 lose digits in many a reader.
public struct CaptureIdentity: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Later captures of one bridge have higher numbers.
    public let rawValue: UInt64

    /// The capture of this number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Reads decimal digits without a sign or leading zeros; nil for anything else.
    public init?(_ text: String) {
        guard let value = UInt64(text), String(value) == text else { return nil }
        rawValue = value
    }

    /// The decimal digits.
    public var description: String { String(rawValue) }

    /// Earlier captures come first.
    public static func < (left: CaptureIdentity, right: CaptureIdentity) -> Bool { left.rawValue < right.rawValue }
}

extension CaptureIdentity: Codable {
    /// A string of digits; a number is refused, for it may have lost some.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let identity = CaptureIdentity(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text.prefix(40))\" is no capture's identity: a string of digits")
        }
        self = identity
    }

    /// A string of digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
