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
            let start = bytes[done..<position].lastIndex { !Address.isOfScheme($0) }.map { $0 + 1 } ?? done
            guard start < position else {
                position += sign.count
                continue
            }
            let end = Self.end(of: bytes, from: position, behind: start > 0 ? bytes[start - 1] : nil)
            kept += bytes[done..<start]
            kept += Array(Address(String(decoding: bytes[start..<end], as: UTF8.self), keepsAll: false).url.utf8)
            (done, position) = (end, end)
        }
        kept += bytes[done...]
        return String(decoding: kept, as: UTF8.self)
    }

    /// White space, double quotes and angle brackets are never in an address. Other marks may be: one ends the address only
    /// where its like stands before it, and where no word goes on behind it.
    private static func end(of bytes: [UInt8], from position: Int, behind opening: UInt8?) -> Int {
        let mark = opening.flatMap(Self.closing)
        var end = position
        while end < bytes.count, !isEnd(bytes[end]) {
            if bytes[end] == mark, end + 1 == bytes.count || isBehindMark(bytes[end + 1]) { break }
            end += 1
        }
        return end
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        byte <= 0x20 || [0x22, 0x3C, 0x3E, 0x7F].contains(byte)
    }

    private static func closing(of opening: UInt8) -> UInt8? {
        switch opening {
        case UInt8(ascii: "'"), UInt8(ascii: "`"): return opening
        case UInt8(ascii: "{"): return UInt8(ascii: "}")
        default: return nil
        }
    }

    private static func isBehindMark(_ byte: UInt8) -> Bool {
        isEnd(byte) || ",.;:!)]}'`".utf8.contains(byte)
    }
}
