// SPDX-License-Identifier: Apache-2.0

/// RFC 3492, with `_` for the delimiter, as Rust's identifiers use it.
enum Punycode {
    private static let base = 36
    private static let maximumLength = 512

    /// Nil for what is no Punycode.
    static func decode(_ text: Substring) -> String? {
        let delimiter = text.lastIndex(of: "_")
        var output = Array((delimiter.map { text[..<$0] } ?? "").unicodeScalars)
        var digits = (delimiter.map { text[text.index(after: $0)...] } ?? text).utf8.makeIterator()
        var (code, index, bias, isFirst) = (128, 0, 72, true)
        guard output.count < maximumLength else { return nil }
        while let first = digits.next() {
            guard let delta = integer(first, &digits, bias), output.count < maximumLength else { return nil }
            let count = output.count + 1
            let (position, overflow) = index.addingReportingOverflow(delta)
            guard !overflow else { return nil }
            code += position / count
            index = position % count
            guard let value = UInt32(exactly: code), let scalar = Unicode.Scalar(value) else { return nil }
            output.insert(scalar, at: index)
            index += 1
            bias = adapt(delta, count, isFirst)
            isFirst = false
        }
        return String(String.UnicodeScalarView(output))
    }

    private static func integer(
        _ first: UInt8, _ digits: inout Substring.UTF8View.Iterator, _ bias: Int
    ) -> Int? {
        var (value, weight, k) = (0, 1, base)
        var next: UInt8? = first
        while let byte = next, let digit = digit(byte) {
            let (product, tooLarge) = digit.multipliedReportingOverflow(by: weight)
            guard !tooLarge, product < Int(Int32.max), value < Int(Int32.max) else { return nil }
            value += product
            let threshold = min(max(k - bias, 1), 26)
            if digit < threshold { return value }
            let (heavier, overflow) = weight.multipliedReportingOverflow(by: base - threshold)
            guard !overflow else { return nil }
            weight = heavier
            k += base
            next = digits.next()
        }
        return nil
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 97
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) - 48 + 26
        default: nil
        }
    }

    private static func adapt(_ delta: Int, _ count: Int, _ isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var k = 0
        while delta > 455 {
            delta /= 35
            k += base
        }
        return k + 36 * delta / (delta + 38)
    }
}
