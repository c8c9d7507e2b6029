// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Checks a text and finds values in it, without building any. Of members of one name the last counts.
struct JSONScanner {
    private var lexer: JSONLexer

    init(_ bytes: [UInt8], deepest: Int) {
        lexer = JSONLexer(bytes, deepest: deepest)
    }

    /// Line and column of an offset, counted from one, as people look for it.
    func place(of offset: Int) -> (line: Int, column: Int) {
        let before = lexer.bytes.prefix(offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return (line, offset - start + 1)
    }

    func slice(_ range: Range<Int>) -> ArraySlice<UInt8> { lexer.bytes[range] }

    /// The text of a checked string that has no escapes; nil for all else.
    func plainText(_ range: Range<Int>) -> String? {
        let value = lexer.bytes[range]
        guard value.count >= 2, value.first == UInt8(ascii: "\""), !value.contains(UInt8(ascii: "\\")) else {
            return nil
        }
        return String(validating: value.dropFirst().dropLast(), as: UTF8.self)
    }

    /// The whole text, which must be one value.
    mutating func walkDocument(into inside: [String: JSONWalk]) throws(JSONFault) -> JSONFinding {
        lexer.skipSpace()
        let finding = try walkObject(depth: 0, into: inside)
        lexer.skipSpace()
        guard lexer.isAtEnd else { throw lexer.fault("something follows the document") }
        return finding
    }

    /// Checks the value that comes next, at `depth`. Of an object the members of `inside` are found, and looked into in
    /// their turn.
    private mutating func walkObject(depth: Int, into inside: [String: JSONWalk]) throws(JSONFault) -> JSONFinding {
        guard lexer.byte == UInt8(ascii: "{") else { return try walkValue(depth: depth) }
        try lexer.checkDepth(depth)
        let start = lexer.position
        var finding = JSONFinding(range: start..<start, members: [:])
        _ = lexer.take("{")
        lexer.skipSpace()
        var isEnd = lexer.take("}")
        while !isEnd {
            let name = try lexer.memberName().text(in: lexer.bytes)
            let found = try walk(name.flatMap { inside[$0] }, depth: depth + 1)
            if let name, inside[name] != nil { finding.members?[name] = found }
            isEnd = try lexer.ends("}", "a comma or the object's end is expected")
        }
        finding.range = start..<lexer.position
        return finding
    }

    private mutating func walk(_ walk: JSONWalk?, depth: Int) throws(JSONFault) -> JSONFinding {
        switch walk {
        case .object(let inside)?: try walkObject(depth: depth, into: inside)
        case .array(let inside, let most)?: try walkArray(depth: depth, into: inside, most: most)
        case .value?, nil: try walkValue(depth: depth)
        }
    }

    private mutating func walkValue(depth: Int) throws(JSONFault) -> JSONFinding {
        let start = lexer.position
        try lexer.skipValue(depth: depth)
        return JSONFinding(range: start..<lexer.position)
    }

    private mutating func walkArray(
        depth: Int, into inside: [String: JSONWalk], most: Int
    ) throws(JSONFault) -> JSONFinding {
        guard lexer.byte == UInt8(ascii: "[") else { return try walkValue(depth: depth) }
        try lexer.checkDepth(depth)
        let start = lexer.position
        var finding = JSONFinding(range: start..<start, elements: [])
        _ = lexer.take("[")
        lexer.skipSpace()
        var isEnd = lexer.take("]")
        while !isEnd {
            lexer.skipSpace()
            if finding.elementCount < most {
                finding.elements?.append(try walkObject(depth: depth + 1, into: inside))
            } else {
                try lexer.skipValue(depth: depth + 1)
            }
            finding.elementCount += 1
            isEnd = try lexer.ends("]", "a comma or the array's end is expected")
        }
        finding.range = start..<lexer.position
        return finding
    }
}
