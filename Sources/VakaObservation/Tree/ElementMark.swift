// SPDX-License-Identifier: Apache-2.0

/// A word in an element's name that masks or unmasks it. Looked for by its bytes, for every element of every capture.
struct ElementMark: Sendable {
    static let mask = ElementMark("screen-recording-mask")
    static let unmask = ElementMark("screen-recording-unmask")

    private let bytes: [UInt8]

    private init(_ word: StaticString) {
        bytes = word.withUTF8Buffer { Array($0) }
    }

    func isIn(_ name: String) -> Bool {
        guard name.utf8.count >= bytes.count else { return false }
        var name = name
        return name.withUTF8 { text in
            (0...(text.count - bytes.count)).contains { start in
                text[start] == bytes[0] && text[start..<(start + bytes.count)].elementsEqual(bytes)
            }
        }
    }
}
