// SPDX-License-Identifier: Apache-2.0

/// Texts as JSON writes them.
enum JSONText {
    static func isOfBase64(_ byte: UInt8) -> Bool {
        (ByteSet.word.contains(byte) && byte != UInt8(ascii: "_")) || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
    }

    /// `0x` and up to 16 digits: nothing else of a report is as frequent.
    static func isAddress(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard (3...18).contains(text.count), text[0] == UInt8(ascii: "0"), text[1] == UInt8(ascii: "x") else {
            return false
        }
        return text[2...].allSatisfy { ByteSet.digit.contains($0) || (0x61...0x66).contains($0 | 0x20) }
    }

    /// What stands between the quotes, with its escapes resolved; nil where they are wrong.
    static func decoded(_ quoted: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(quoted.count)
        var position = quoted.startIndex + 1
        let end = quoted.endIndex - 1
        while position < end {
            let byte = quoted[position]
            guard byte == UInt8(ascii: "\\"), position + 1 < end else {
                result.append(byte)
                position += 1
                continue
            }
            switch quoted[position + 1] {
            case UInt8(ascii: "n"): result.append(0x0a)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "r"): result.append(0x0d)
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0c)
            case UInt8(ascii: "u"):
                guard let (scalar, length) = scalar(quoted, position, end) else { return nil }
                result.append(contentsOf: Array(String(scalar).utf8))
                position += length
                continue
            case let other: result.append(other)
            }
            position += 2
        }
        return result
    }

    /// Of `\uXXXX`, or of two that are one scalar; half a pair is U+FFFD, as readers take it.
    private static func scalar(
        _ text: Slice<UnsafeBufferPointer<UInt8>>, _ start: Int, _ end: Int
    ) -> (Unicode.Scalar, Int)? {
        func unit(_ position: Int) -> UInt32? {
            guard position + 6 <= end, text[position] == UInt8(ascii: "\\"), text[position + 1] == UInt8(ascii: "u")
            else {
                return nil
            }
            return UInt32(String(decoding: text[(position + 2)..<(position + 6)], as: UTF8.self), radix: 16)
        }
        guard let first = unit(start) else { return nil }
        if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
        if first < 0xdc00, let second = unit(start + 6), (0xdc00...0xdfff).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
        {
            return (scalar, 12)
        }
        return ("\u{FFFD}", 6)
    }

    /// With quotes and escapes.
    static func encoded(_ text: some Sequence<UInt8>) -> [UInt8] {
        // A replacement may end within a character.
        let whole = Array(String(decoding: Array(text), as: UTF8.self).utf8)
        var result: [UInt8] = [UInt8(ascii: "\"")]
        result.reserveCapacity(whole.count + 2)
        for byte in whole {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
            case 0x0a: result += Array("\\n".utf8)
            case 0x09: result += Array("\\t".utf8)
            case 0x0d: result += Array("\\r".utf8)
            case 0..<0x20: result += Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
            default: result.append(byte)
            }
        }
        result.append(UInt8(ascii: "\""))
        return result
    }
}
