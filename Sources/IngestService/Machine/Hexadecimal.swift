// SPDX-License-Identifier: Apache-2.0

/// Bytes in hexadecimal digits, and back.
enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Nil where there is anything but pairs of digits.
    static func bytes(_ text: String) -> [UInt8]? {
        let values = text.utf8.compactMap { digits.firstIndex(of: $0) }
        guard values.count == text.utf8.count, values.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
