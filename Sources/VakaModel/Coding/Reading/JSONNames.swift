// SPDX-License-Identifier: Apache-2.0

/// The names of an object's members.
package protocol JSONKey: CodingKey, CaseIterable, Sendable {
    static var names: JSONNames<Self> { get }
}

/// The names of an object's members, to be found in a text.
package struct JSONNames<Key: CodingKey & CaseIterable & Sendable>: Sendable {
    /// As documents have them: sorted.
    let keys: [Key]
    private let texts: [[UInt8]]

    package init(_ type: Key.Type) {
        keys = Key.allCases.sorted { $0.stringValue.utf8.lexicographicallyPrecedes($1.stringValue.utf8) }
        texts = keys.map { Array($0.stringValue.utf8) }
    }

    /// The place of a name among the keys; `expected` is the likely one.
    func index(of name: JSONString, in bytes: [UInt8], expected: Int) throws(JSONFault) -> Int? {
        if !name.hasEscapes {
            if expected < texts.count, isName(name.range, in: bytes, texts[expected]) { return expected }
            if let index = texts.firstIndex(where: { isName(name.range, in: bytes, $0) }) { return index }
        }
        let text = try name.validText(in: bytes)
        return keys.firstIndex { $0.stringValue == text }
    }

    private func isName(_ range: Range<Int>, in bytes: [UInt8], _ text: [UInt8]) -> Bool {
        guard range.count == text.count else { return false }
        return bytes.withUnsafeBytes { bytes in
            for (offset, byte) in text.enumerated() where bytes[range.lowerBound + offset] != byte { return false }
            return true
        }
    }
}
