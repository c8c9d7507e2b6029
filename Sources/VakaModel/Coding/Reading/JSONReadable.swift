// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A value that reads itself from a text, without the containers of `Decodable` and with their outcome.
package protocol JSONReadable {
    init(from json: inout JSONReader) throws
}

extension JSONReader {
    package mutating func value<Value: JSONReadable>(_ type: Value.Type = Value.self) throws -> Value {
        try Value(from: &self)
    }

    /// Nil for null.
    package mutating func optional<Value: JSONReadable>(_ type: Value.Type = Value.self) throws -> Value? {
        try takeNull() ? nil : try Value(from: &self)
    }

    /// Past a null; false where something else comes next.
    package mutating func takeNull() throws -> Bool {
        guard lexer.byte == UInt8(ascii: "n") else { return false }
        try lexer.skipWord("null")
        return true
    }

    /// What stands for null is the type's own affair.
    mutating func defaulted<Value: JSONReadable & DefaultProviding>() throws -> Value { try optional() ?? .absent }

    /// A value of a type that does not read itself.
    package mutating func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        let start = lexer.position
        try skip()
        return try JSONDecoder().decode(type, from: Data(lexer.bytes[start..<lexer.position]))
    }

    /// The string that comes next, as it stands.
    mutating func string(_ wanted: String = "a text") throws -> JSONString {
        guard kind == .string else { throw mismatch(wanted) }
        return try lexer.string()
    }

    mutating func text() throws -> String { try text(of: string()) }

    func text(of string: JSONString) throws -> String { try string.validText(in: lexer.bytes) }
}

extension String: JSONReadable {
    package init(from json: inout JSONReader) throws { self = try json.text() }
}

extension Bool: JSONReadable {
    package init(from json: inout JSONReader) throws {
        guard json.kind == .bool else { throw json.mismatch("true or false") }
        self = json.lexer.byte == UInt8(ascii: "t")
        try json.lexer.skipWord(self ? "true" : "false")
    }
}

extension Array: JSONReadable where Element: JSONReadable {
    package init(from json: inout JSONReader) throws {
        self = []
        try json.openArray()
        while try json.nextElement() { append(try json.value()) }
    }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
    package init(from json: inout JSONReader) throws {
        var members: [(name: String, value: Value)] = []
        try json.openObject()
        while let name = try json.nextName() {
            let value = try json.value(Value.self)
            members.append((try json.text(of: name), value))
        }
        self.init(minimumCapacity: members.count)
        for member in members { self[member.name] = member.value }
    }
}

/// Words; of some none may be unknown.
extension JSONReadable where Self: RawRepresentable<String> {
    package init(from json: inout JSONReader) throws {
        let text = try json.text()
        guard let value = Self(rawValue: text) else { throw json.corrupted("\"\(text.prefix(40))\" is unknown here") }
        self = value
    }
}

extension Data: JSONReadable {
    package init(from json: inout JSONReader) throws {
        let string = try json.string()
        let coded = string.hasEscapes ? try Data(json.text(of: string).utf8) : Data(json.lexer.bytes[string.range])
        guard let data = Data(base64Encoded: coded) else { throw json.corrupted("the text is no base64") }
        self = data
    }
}
