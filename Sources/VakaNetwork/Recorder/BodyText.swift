// SPDX-License-Identifier: Apache-2.0

/// Bodies as texts, cut at a bound.
enum BodyText {
    /// The first `limit` bytes, as far as they are whole characters of UTF-8; nil where they are none.
    static func text(_ bytes: some Collection<UInt8>, limit: Int) -> String? {
        let kept = Array(bytes.prefix(limit))
        if let text = String(validating: kept, as: UTF8.self) { return text }
        // The bound may lie within a character.
        guard bytes.count > limit, let last = kept.lastIndex(where: { $0 & 0xC0 != 0x80 }), kept.count - last < 4 else {
            return nil
        }
        return String(validating: kept[..<last], as: UTF8.self)
    }

    /// The text, of at most `limit` bytes.
    static func truncate(_ text: String, limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: max(0, limit))
        while String.Index(end, within: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return String(text[..<end])
    }
}
