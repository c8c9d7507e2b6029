// SPDX-License-Identifier: Apache-2.0

/// A string as it stands in a text, checked: what is between its quotes.
package struct JSONString {
    package var range: Range<Int>
    package var hasEscapes: Bool

    /// What it says; nil for what is no Unicode: bytes that are no UTF-8, halves of pairs of surrogates.
    package func text(in bytes: [UInt8]) -> String? {
        hasEscapes ? unescaped(bytes[range]) : String(validating: bytes[range], as: UTF8.self)
    }

    func validText(in bytes: [UInt8]) throws(JSONFault) -> String {
        guard let text = text(in: bytes) else {
            throw JSONFault(offset: range.lowerBound, problem: "a string is no Unicode")
        }
        return text
    }

    private func unescaped(_ raw: ArraySlice<UInt8>) -> String? {
        var result: [UInt8] = []
        result.reserveCapacity(raw.count)
        var index = raw.startIndex
        while let backslash = raw[index...].firstIndex(of: UInt8(ascii: "\\")) {
            result += raw[index..<backslash]
            let escape = raw[backslash + 1]
            index = backslash + 2
            if escape != UInt8(ascii: "u") {
                result.append(Self.meaning(escape))
            } else {
                guard let scalar = Self.scalar(raw, &index) else { return nil }
                result += Array(String(scalar).utf8)
            }
        }
        return String(validating: result + raw[index...], as: UTF8.self)
    }

    private static func meaning(_ escape: UInt8) -> UInt8 {
        switch escape {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0c
        case UInt8(ascii: "n"): 0x0a
        case UInt8(ascii: "r"): 0x0d
        case UInt8(ascii: "t"): 0x09
        default: escape
        }
    }

    /// The scalar whose digits begin at `index`; it may take two escapes.
    private static func scalar(_ raw: ArraySlice<UInt8>, _ index: inout Int) -> Unicode.Scalar? {
        let first = unit(raw, &index)
        guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
        guard raw[index...].starts(with: "\\u".utf8) else { return nil }
        index += 2
        let second = unit(raw, &index)
        guard UTF16.isTrailSurrogate(second) else { return nil }
        return Unicode.Scalar(0x10000 + UInt32(first & 0x3ff) << 10 + UInt32(second & 0x3ff))
    }

    private static func unit(_ raw: ArraySlice<UInt8>, _ index: inout Int) -> UInt16 {
        defer { index += 4 }
        return raw[index..<index + 4].reduce(0) { unit, digit in
            unit << 4 | UInt16(digit.hexadecimalValue ?? 0)
        }
    }

    /// The end of what needs no look inside of a string: the next quote, backslash or control character, or the text's end.
    static func plainEnd(in bytes: [UInt8], from start: Int) -> Int {
        bytes.withUnsafeBytes { plainEnd(in: $0, from: start) }
    }

    static func plainEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var position = start
        while position + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            guard !hasSpecial(word) else { break }
            position += 8
        }
        while position < bytes.count, bytes[position] >= 0x20, bytes[position] != 0x22, bytes[position] != 0x5c {
            position += 1
        }
        return position
    }

    /// Whether one of eight bytes is not plain. A byte less than n borrows from its highest bit when n is subtracted.
    private static func hasSpecial(_ word: UInt64) -> Bool {
        let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        func borrows(_ value: UInt64, _ bound: UInt64) -> UInt64 { (value &- ones &* bound) & ~value }
        return (borrows(word, 0x20) | borrows(word ^ ones &* 0x22, 1) | borrows(word ^ ones &* 0x5c, 1)) & highs != 0
    }
}

extension UInt8 {
    /// Of a hexadecimal digit of either case.
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
