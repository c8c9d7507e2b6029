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

    /// Line and column of an offset, counted from one, as people look for it.
    func place(of offset: Int) -> (line: Int, column: Int) {
        let before = bytes.prefix(offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return (line, offset - start + 1)
    }

    func slice(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

    /// The text of a checked string that has no escapes; nil for all else.
    func plainText(_ range: Range<Int>) -> String? {
        let value = bytes[range]
        guard value.count >= 2, value.first == UInt8(ascii: "\""), !value.contains(UInt8(ascii: "\\")) else {
            return nil
        }
        return String(validating: value.dropFirst().dropLast(), as: UTF8.self)
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
            _ = try memberName()
            try skipValue(depth: depth + 1)
            guard try !ends("}", "a comma or the object's end is expected") else { return }
        }
    }

    private mutating func skipArray(_ depth: Int) throws(JSONFault) {
        position += 1
        skipSpace()
        if take("]") { return }
        while true {
            skipSpace()
            try skipValue(depth: depth + 1)
            guard try !ends("]", "a comma or the array's end is expected") else { return }
        }
    }

    /// Up to the member's value.
    private mutating func memberName() throws(JSONFault) -> Range<Int> {
        skipSpace()
        guard byte == UInt8(ascii: "\"") else { throw fault("a member's name in quotes is expected") }
        let start = position + 1
        try skipString()
        let end = position - 1
        skipSpace()
        guard take(":") else { throw fault("a colon is expected") }
        skipSpace()
        return start..<end
    }

    /// False where a comma says that more follows.
    private mutating func ends(_ end: Unicode.Scalar, _ problem: String) throws(JSONFault) -> Bool {
        skipSpace()
        if take(end) { return true }
        guard take(",") else { throw fault(problem) }
        return false
    }

    /// Checks the value that comes next, at `depth`. Of an object the members of `inside` are found, and looked into in
    /// their turn.
    mutating func walk(depth: Int, into inside: [String: JSONWalk]) throws(JSONFault) -> JSONFinding {
        let start = position
        guard byte == UInt8(ascii: "{"), depth < deepest else {
            try skipValue(depth: depth)
            return JSONFinding(range: start..<position)
        }
        var finding = JSONFinding(range: start..<start, members: [:])
        position += 1
        skipSpace()
        var isEnd = take("}")
        while !isEnd {
            let name = String(decoding: bytes[try memberName()], as: UTF8.self)
            let found = try value(depth: depth + 1, inside[name])
            // The last of a name wins, as everywhere.
            if inside[name] != nil { finding.members?[name] = found }
            isEnd = try ends("}", "a comma or the object's end is expected")
        }
        finding.range = start..<position
        return finding
    }

    private mutating func value(depth: Int, _ walk: JSONWalk?) throws(JSONFault) -> JSONFinding {
        switch walk {
        case .object(let inside)?: return try self.walk(depth: depth, into: inside)
        case .array(let inside, let most)?: return try walkArray(depth: depth, into: inside, most: most)
        case .value?, nil:
            let start = position
            try skipValue(depth: depth)
            return JSONFinding(range: start..<position)
        }
    }

    private mutating func walkArray(
        depth: Int, into inside: [String: JSONWalk], most: Int
    ) throws(JSONFault) -> JSONFinding {
        let start = position
        guard byte == UInt8(ascii: "["), depth < deepest else {
            try skipValue(depth: depth)
            return JSONFinding(range: start..<position)
        }
        var finding = JSONFinding(range: start..<start, elements: [])
        position += 1
        skipSpace()
        var isEnd = take("]")
        while !isEnd {
            skipSpace()
            if finding.elementCount < most {
                finding.elements?.append(try walk(depth: depth + 1, into: inside))
            } else {
                try skipValue(depth: depth + 1)
            }
            finding.elementCount += 1
            isEnd = try ends("]", "a comma or the array's end is expected")
        }
        finding.range = start..<position
        return finding
    }

    /// The whole text, which must be one value.
    mutating func walkDocument(into inside: [String: JSONWalk]) throws(JSONFault) -> JSONFinding {
        skipSpace()
        let finding = try walk(depth: 0, into: inside)
        skipSpace()
        guard position == bytes.count else { throw fault("something follows the document") }
        return finding
    }

    private static let isPlain: [Bool] = (0...255).map { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5c }

    /// Past what needs no look inside of a string.
    private mutating func skipPlain() {
        let start = position
        position = bytes.withUnsafeBufferPointer { bytes in
            Self.isPlain.withUnsafeBufferPointer { isPlain in
                var position = start
                while position < bytes.count, isPlain[Int(bytes[position])] { position += 1 }
                return position
            }
        }
    }

    private mutating func skipString() throws(JSONFault) {
        position += 1
        skipPlain()
        while let current = byte {
            position += 1
            if current == UInt8(ascii: "\"") { return }
            if current < 0x20 {
                position -= 1
                throw fault("a control character in a string")
            }
            if current == UInt8(ascii: "\\") { try skipEscape() }
            skipPlain()
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
