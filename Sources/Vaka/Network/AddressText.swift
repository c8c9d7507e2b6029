// SPDX-License-Identifier: Apache-2.0

/// Addresses within texts, as errors tell them.
package enum AddressText {
    private static let sign = Array("://".utf8)

    /// The text, its addresses without user, password, query and fragment.
    package static func shortened(_ text: String) -> String {
        guard text.firstRange(of: "://") != nil else { return text }
        let bytes = Array(text.utf8)
        var kept: [UInt8] = []
        var done = 0
        var position = 0
        while position + sign.count <= bytes.count {
            guard bytes[position..<position + sign.count].elementsEqual(sign) else {
                position += 1
                continue
            }
            let start = bytes[done..<position].lastIndex { !isOfScheme($0) }.map { $0 + 1 } ?? done
            guard start < position else {
                position += sign.count
                continue
            }
            let end = bytes[position...].firstIndex(where: isEnd) ?? bytes.endIndex
            kept += bytes[done..<start]
            kept += Array(Address(String(decoding: bytes[start..<end], as: UTF8.self), keepsAll: false).url.utf8)
            (done, position) = (end, end)
        }
        kept += bytes[done...]
        return String(decoding: kept, as: UTF8.self)
    }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
    }

    /// White space, quotes and brackets stand around an address, and not in it.
    private static func isEnd(_ byte: UInt8) -> Bool {
        byte <= 0x20 || [0x22, 0x27, 0x3C, 0x3E, 0x60, 0x7B, 0x7D, 0x7F].contains(byte)
    }
}
