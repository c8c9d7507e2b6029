// SPDX-License-Identifier: Apache-2.0

/// Where and why a text is no JSON.
struct JSONFault: Error, Equatable {
    /// Bytes from the start.
    var offset: Int
    var problem: String
}

/// Checks JSON (RFC 8259) with bounded depth and finds values in it, without building any.
struct JSONScanner {
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private let bytes: [UInt8]
    private let deepest: Int
    private(set) var position = 0

    init(_ bytes: [UInt8], deepest: Int) {
        self.bytes = bytes
        self.deepest = deepest
    }

    /// The whole text must be one value.
    mutating func checkDocument() throws(JSONFault) {
        skipSpace()
        try skipValue(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw fault("something follows the document") }
    }

    /// Line and column of an offset, counted from one, as people look for it.
    func place(of offset: Int) -> (line: Int, column: Int) {
        let before = bytes.prefix(offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return (line, offset - start + 1)
    }

    /// The members of the object that begins at `start` of a checked text, in their order: name as written, value's range.
    func members(at start: Int) -> [(name: ArraySlice<UInt8>, value: Range<Int>)]? {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "{") else { return nil }
        var scanner = self
        scanner.position = start + 1
        var result: [(name: ArraySlice<UInt8>, value: Range<Int>)] = []
        while true {
            scanner.skipSpace()
            guard scanner.byte == UInt8(ascii: "\"") else { return result }
            let name = scanner.position
            guard (try? scanner.skipString()) != nil else { return nil }
            let nameEnd = scanner.position
            scanner.skipSpace()
            scanner.position += 1
            guard let value = scanner.value() else { return nil }
            result.append((bytes[(name + 1)..<(nameEnd - 1)], value))
            scanner.skipSpace()
            guard scanner.byte == UInt8(ascii: ",") else { return result }
            scanner.position += 1
        }
    }

    /// The elements' ranges of the array that begins at `start` of a checked text; at most `most`.
    func elements(at start: Int) -> [Range<Int>]? {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "[") else { return nil }
        var scanner = self
        scanner.position = start + 1
        var result: [Range<Int>] = []
        scanner.skipSpace()
        while scanner.byte != UInt8(ascii: "]") {
            guard let value = scanner.value() else { return nil }
            result.append(value)
            scanner.skipSpace()
            if scanner.byte == UInt8(ascii: ",") { scanner.position += 1 }
            scanner.skipSpace()
        }
        return result
    }

    func slice(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

    private mutating func value() -> Range<Int>? {
        skipSpace()
        let start = position
        guard (try? skipValue(depth: 0)) != nil else { return nil }
        return start..<position
    }

    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func fault(_ problem: String) -> JSONFault { JSONFault(offset: position, problem: problem) }

    private mutating func skipSpace() {
        while let byte, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    private mutating func skipValue(depth: Int) throws(JSONFault) {
        guard depth < deepest else { throw fault("nested deeper than \(deepest) levels") }
        switch byte {
        case UInt8(ascii: "{"): try skipObject(depth)
        case UInt8(ascii: "["): try skipArray(depth)
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "t"): try skipWord("true")
        case UInt8(ascii: "f"): try skipWord("false")
        case UInt8(ascii: "n"): try skipWord("null")
        case let digit? where digit == UInt8(ascii: "-") || Self.digits.contains(digit): try skipNumber()
        case nil: throw fault("the text ends where a value is expected")
        default: throw fault("a value is expected")
        }
    }

    private mutating func skipObject(_ depth: Int) throws(JSONFault) {
        position += 1
        skipSpace()
        if take("}") { return }
        while true {
            skipSpace()
            guard byte == UInt8(ascii: "\"") else { throw fault("a member's name in quotes is expected") }
            try skipString()
            skipSpace()
            guard take(":") else { throw fault("a colon is expected") }
            skipSpace()
            try skipValue(depth: depth + 1)
            skipSpace()
            if take("}") { return }
            guard take(",") else { throw fault("a comma or the object's end is expected") }
        }
    }

    private mutating func skipArray(_ depth: Int) throws(JSONFault) {
        position += 1
        skipSpace()
        if take("]") { return }
        while true {
            skipSpace()
            try skipValue(depth: depth + 1)
            skipSpace()
            if take("]") { return }
            guard take(",") else { throw fault("a comma or the array's end is expected") }
        }
    }

    private mutating func skipString() throws(JSONFault) {
        position += 1
        while let current = byte {
            position += 1
            if current == UInt8(ascii: "\"") { return }
            if current < 0x20 {
                position -= 1
                throw fault("a control character in a string")
            }
            if current == UInt8(ascii: "\\") { try skipEscape() }
        }
        throw fault("a string is not closed")
    }

    private mutating func skipEscape() throws(JSONFault) {
        guard let escape = byte, "\"\\/bfnrtu".utf8.contains(escape) else { throw fault("an unknown escape") }
        position += 1
        guard escape == UInt8(ascii: "u") else { return }
        for _ in 0..<4 {
            guard let digit = byte, Character(UnicodeScalar(digit)).isHexDigit else {
                throw fault("four hexadecimal digits are expected")
            }
            position += 1
        }
    }

    private mutating func skipWord(_ word: String) throws(JSONFault) {
        for expected in word.utf8 {
            guard byte == expected else { throw fault("\(word) is expected") }
            position += 1
        }
    }

    private mutating func skipNumber() throws(JSONFault) {
        _ = take("-")
        if !take("0") { try skipDigits() }
        if take(".") { try skipDigits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(JSONFault) {
        let start = position
        while let byte, Self.digits.contains(byte) { position += 1 }
        guard position > start else { throw fault("a digit is expected") }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard byte == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }
}
