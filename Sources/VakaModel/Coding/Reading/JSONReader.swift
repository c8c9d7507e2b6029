// SPDX-License-Identifier: Apache-2.0

/// Reads values of known types out of a text, in one pass, and knows where it is.
///
/// A type reads itself: a container is opened, and then its members or elements are asked for until there are none.
/// Of members of one name the last counts; unknown ones are passed over.
package struct JSONReader {
    /// A container that is being read, and the place in it.
    private enum Level {
        case object(member: Range<Int>, next: Int, isFirst: Bool)
        case array(index: Int)
    }

    /// What Foundation bears.
    private static let deepest = 512

    var lexer: JSONLexer
    private var levels: [Level] = []
    /// The build id that was read last: most frames have their neighbour's.
    var lastBuildID: (text: ArraySlice<UInt8>, value: BuildID)?

    package init(_ bytes: [UInt8]) {
        lexer = JSONLexer(bytes, deepest: Self.deepest)
        levels.reserveCapacity(16)
    }

    /// The whole text as one value.
    package static func read<Value: JSONReadable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        var reader = JSONReader(bytes)
        do {
            reader.lexer.skipSpace()
            let value = try Value(from: &reader)
            reader.lexer.skipSpace()
            guard reader.lexer.isAtEnd else { throw reader.lexer.fault("something follows the document") }
            return value
        } catch let fault as JSONFault {
            let words = "no JSON: \(fault.problem) at byte \(fault.offset)"
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: words))
        }
    }

    mutating func skip() throws { try lexer.skipValue(depth: levels.count) }

    // MARK: Containers

    /// Enters an object; `next(_:)` gives its members.
    package mutating func openObject() throws {
        guard kind == .object else { throw mismatch("an object") }
        try lexer.checkDepth(levels.count)
        _ = lexer.take("{")
        levels.append(.object(member: 0..<0, next: 0, isFirst: true))
    }

    /// Goes to the value of the next member that has a key; nil at the object's end, which is then left.
    package mutating func next<Key: JSONKey>(_ keys: Key.Type) throws -> Key? {
        let names = Key.names
        while let name = try nextName() {
            guard case .object(_, let expected, _)? = levels.last else { return nil }
            if let index = try names.index(of: name, in: lexer.bytes, expected: expected) {
                levels[levels.count - 1] = .object(member: name.range, next: index + 1, isFirst: false)
                return names.keys[index]
            }
            try skip()
        }
        return nil
    }

    /// Goes to the value of the next member, whatever its name.
    mutating func nextName() throws -> JSONString? {
        guard case .object(_, let next, let isFirst)? = levels.last else { return nil }
        if isFirst { lexer.skipSpace() }
        if try isFirst ? lexer.take("}") : lexer.ends("}", "a comma or the object's end is expected") {
            levels.removeLast()
            return nil
        }
        let name = try lexer.memberName()
        levels[levels.count - 1] = .object(member: name.range, next: next, isFirst: false)
        return name
    }

    /// Enters an array; `nextElement()` gives its elements.
    package mutating func openArray() throws {
        guard kind == .array else { throw mismatch("an array") }
        try lexer.checkDepth(levels.count)
        _ = lexer.take("[")
        levels.append(.array(index: -1))
    }

    /// Goes to the next element; false at the array's end, which is then left.
    package mutating func nextElement() throws -> Bool {
        guard case .array(let index)? = levels.last else { return false }
        if index < 0 { lexer.skipSpace() }
        if try index < 0 ? lexer.take("]") : lexer.ends("]", "a comma or the array's end is expected") {
            levels.removeLast()
            return false
        }
        lexer.skipSpace()
        levels[levels.count - 1] = .array(index: index + 1)
        return true
    }

    /// Where it is: names and indices from the document inwards.
    var path: [any CodingKey] {
        levels.map { level in
            switch level {
            case .array(let index): JSONPathKey(index)
            case .object(let range, _, _):
                JSONPathKey(String(decoding: lexer.bytes[range], as: UTF8.self))
            }
        }
    }
}
