// SPDX-License-Identifier: Apache-2.0

/// JSON as it is written, byte for byte.
package struct JSONBytes {
    package internal(set) var bytes: [UInt8] = []

    package init() {
        bytes.reserveCapacity(4096)
    }

    package mutating func mark(_ byte: Unicode.Scalar) {
        bytes.append(UInt8(ascii: byte))
    }

    mutating func write(ascii text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ number: some FixedWidthInteger) {
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
    mutating func write(_ number: some BinaryFloatingPoint & CustomStringConvertible) -> Bool {
        guard number.isFinite else { return false }
        let text = number.description
        bytes.append(contentsOf: (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8)
        return true
    }

    mutating func write(_ text: String) {
        mark("\"")
        var text = text
        text.withUTF8 { utf8 in
            let raw = UnsafeRawBufferPointer(utf8)
            var start = 0
            while true {
                let end = JSONString.plainEnd(in: raw, from: start)
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<end]))
                guard end < utf8.count else { break }
                escape(utf8[end])
                start = end + 1
            }
        }
        mark("\"")
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x22: write(ascii: "\\\"")
        case 0x5c: write(ascii: "\\\\")
        case 0x08: write(ascii: "\\b")
        case 0x0c: write(ascii: "\\f")
        case 0x0a: write(ascii: "\\n")
        case 0x0d: write(ascii: "\\r")
        case 0x09: write(ascii: "\\t")
        default:
            write(ascii: "\\u00")
            writeDigit(byte >> 4)
            writeDigit(byte & 15)
        }
    }

    /// A hexadecimal digit.
    private mutating func writeDigit(_ nibble: UInt8) {
        bytes.append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") - 10 + nibble)
    }

    /// As `0x…`, without leading zeros.
    mutating func write(hex number: UInt64) {
        write(ascii: "\"0x")
        let digits = max(1, (UInt64.bitWidth - number.leadingZeroBitCount + 3) / 4)
        for digit in (0..<digits).reversed() {
            writeDigit(UInt8(truncatingIfNeeded: number >> (4 * UInt64(digit))) & 15)
        }
        mark("\"")
    }

    /// As two digits a byte.
    mutating func write(hex data: [UInt8]) {
        mark("\"")
        for byte in data {
            writeDigit(byte >> 4)
            writeDigit(byte & 15)
        }
        mark("\"")
    }
}
