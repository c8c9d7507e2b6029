// SPDX-License-Identifier: Apache-2.0

/// Reads the tokens of Rust's v0 mangling (RFC 2603). Positions count from behind the `_R`.
struct RustV0Reader {
    /// The name does not follow the grammar, or goes beyond a bound.
    struct Malformed: Error {}

    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: Substring) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { position >= bytes.count }
    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func next() throws(Malformed) -> UInt8 {
        guard position < bytes.count else { throw Malformed() }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func take(_ character: Character) -> Bool {
        guard let value = character.asciiValue, peek == value else { return false }
        position += 1
        return true
    }

    mutating func seek(_ target: Int) { position = target }

    /// `_` is 0, `0_` is 1, and so on.
    mutating func base62() throws(Malformed) -> UInt64 {
        if take("_") { return 0 }
        var value: UInt64 = 0
        while true {
            let digit: UInt64
            switch try next() {
            case UInt8(ascii: "_"):
                let (result, overflow) = value.addingReportingOverflow(1)
                guard !overflow else { throw Malformed() }
                return result
            case let byte where byte >= 0x30 && byte <= 0x39: digit = UInt64(byte) - 0x30
            case let byte where byte >= 0x61 && byte <= 0x7A: digit = UInt64(byte) - 0x61 + 10
            case let byte where byte >= 0x41 && byte <= 0x5A: digit = UInt64(byte) - 0x41 + 36
            default: throw Malformed()
            }
            let (product, tooLarge) = value.multipliedReportingOverflow(by: 62)
            let (sum, overflow) = product.addingReportingOverflow(digit)
            guard !tooLarge, !overflow else { throw Malformed() }
            value = sum
        }
    }

    /// A number behind a tag, 0 when the tag is missing.
    mutating func optional62(_ tag: Character) throws(Malformed) -> UInt64 {
        guard take(tag) else { return 0 }
        let (value, overflow) = try base62().addingReportingOverflow(1)
        guard !overflow else { throw Malformed() }
        return value
    }

    /// An identifier with its disambiguator.
    mutating func identifier() throws(Malformed) -> (name: String, disambiguator: UInt64) {
        let disambiguator = try optional62("s")
        return (try plainIdentifier(), disambiguator)
    }

    mutating func plainIdentifier() throws(Malformed) -> String {
        let isPunycode = take("u")
        var length = 0
        let first = try next()
        guard (0x30...0x39).contains(first) else { throw Malformed() }
        length = Int(first) - 0x30
        while first != 0x30, let digit = peek, (0x30...0x39).contains(digit) {
            length = length * 10 + Int(digit) - 0x30
            position += 1
            guard length <= bytes.count else { throw Malformed() }
        }
        _ = take("_")
        guard length <= bytes.count - position else { throw Malformed() }
        let text = String(decoding: bytes[position..<position + length], as: UTF8.self)
        position += length
        guard isPunycode else { return text }
        guard let decoded = Punycode.decode(text[...]) else { throw Malformed() }
        return decoded
    }

    /// Lowercase hexadecimal digits up to `_`.
    mutating func hexDigits() throws(Malformed) -> String {
        let start = position
        while let digit = peek, (0x30...0x39).contains(digit) || (0x61...0x66).contains(digit) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard take("_") else { throw Malformed() }
        return text
    }
}
