// SPDX-License-Identifier: Apache-2.0

/// JSON as it is written, byte for byte.
final class JSONBytes {
    var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(4096)
    }

    func mark(_ byte: Unicode.Scalar) {
        bytes.append(UInt8(ascii: byte))
    }

    func write(ascii text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    func write(_ number: some FixedWidthInteger) {
        guard number != 0 else { return bytes.append(UInt8(ascii: "0")) }
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = number.magnitude
        while rest != 0 {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
            rest = quotient
        }
        bytes[start...].reverse()
    }

    /// The shortest text that is read as the same number; false for what is no number in JSON.
    func write(_ number: some BinaryFloatingPoint & CustomStringConvertible) -> Bool {
        guard number.isFinite else { return false }
        let text = number.description
        bytes.append(contentsOf: (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8)
        return true
    }

    func write(_ text: String) {
        mark("\"")
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for index in utf8.indices where Self.needsEscape[Int(utf8[index])] {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
                escape(utf8[index])
                start = index + 1
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
        }
        mark("\"")
    }

    private static let needsEscape: [Bool] = (0...255).map { $0 < 0x20 || $0 == 0x22 || $0 == 0x5c }

    private func escape(_ byte: UInt8) {
        switch byte {
        case 0x22: write(ascii: "\\\"")
        case 0x5c: write(ascii: "\\\\")
        case 0x08: write(ascii: "\\b")
        case 0x0c: write(ascii: "\\f")
        case 0x0a: write(ascii: "\\n")
        case 0x0d: write(ascii: "\\r")
        case 0x09: write(ascii: "\\t")
        default:
            let digits = Array("0123456789abcdef".utf8)
            write(ascii: "\\u00")
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
    }
}
