// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The place of one value in what is written. It takes one value, array or object, and is finished when that was encoded.
final class JSONNode: Encoder {
    private enum Shape {
        case empty, value, array, object
    }

    /// A member of an object: its name, and where its value stands.
    private struct Member {
        var name: String
        var range: Range<Int>
        var part: JSONNode?
    }

    let output: JSONOutput
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private let start: Int
    private var shape = Shape.empty
    private var members: [Member] = []
    private(set) var count = 0
    /// Elements that are written apart, and where they belong.
    private var parts: [(place: Int, node: JSONNode)] = []

    init(_ output: JSONOutput, at path: [any CodingKey]) {
        self.output = output
        codingPath = path
        start = output.bytes.count
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        shape = .object
        return KeyedEncodingContainer(JSONObjectContainer<Key>(node: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if shape == .empty { output.json.mark("[") }
        shape = .array
        return JSONArrayContainer(node: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        shape = .value
        return self
    }

    /// Writes a value of any type.
    func write<Value: Encodable>(_ value: Value, under key: (any CodingKey)?) throws {
        if Value.self == String.self, let text = value as? String { return output.json.write(text) }
        if Value.self == Data.self, let data = value as? Data { return output.json.write(data.base64EncodedString()) }
        let node = JSONNode(output, at: key.map { codingPath + [$0] } ?? codingPath)
        try value.encode(to: node)
        node.finish()
    }

    /// Writes one more element of an array.
    func element(_ write: () throws -> Void) rethrows {
        if count > 0 { output.json.mark(",") }
        count += 1
        try write()
    }

    /// Writes the value of a member.
    func member(_ key: any CodingKey, _ write: () throws -> Void) rethrows {
        let start = output.bytes.count
        try write()
        members.append(Member(name: key.stringValue, range: start..<output.bytes.count))
    }

    /// A member whose value is written apart, for nobody says when that ends.
    func part(_ key: any CodingKey) -> JSONNode {
        let part = JSONNode(JSONOutput(), at: codingPath + [key])
        members.append(Member(name: key.stringValue, range: start..<start, part: part))
        return part
    }

    /// The same as an element.
    func part() -> JSONNode {
        let part = JSONNode(JSONOutput(), at: codingPath)
        element { parts.append((output.bytes.count, part)) }
        return part
    }

    private func finished() -> [UInt8] {
        finish()
        return output.bytes
    }

    /// Nothing is written to it afterwards.
    func finish() {
        switch shape {
        case .value: break
        case .array:
            for part in parts.reversed() { output.bytes.insert(contentsOf: part.node.finished(), at: part.place) }
            output.json.mark("]")
        case .object: sortMembers()
        // What encoded nothing is an object without members.
        case .empty: output.json.write(ascii: "{}")
        }
    }

    /// The values stand behind one another in the order in which they were encoded: names are put before them, sorted.
    private func sortMembers() {
        members.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let values = Array(output.bytes[start...])
        output.bytes.removeSubrange(start...)
        output.json.mark("{")
        var isFollowing = false
        for (index, member) in members.enumerated() {
            // The last of a name wins; sorting keeps their order.
            if index + 1 < members.count, members[index + 1].name == member.name { continue }
            if isFollowing { output.json.mark(",") }
            isFollowing = true
            output.json.write(member.name)
            output.json.mark(":")
            let (low, high) = (member.range.lowerBound - start, member.range.upperBound - start)
            output.bytes.append(contentsOf: member.part?.finished()[...] ?? values[low..<high])
        }
        output.json.mark("}")
    }
}

extension JSONNode: SingleValueEncodingContainer {
    func encodeNil() { output.json.write(ascii: "null") }
    func encode(_ value: Bool) { output.json.write(ascii: value ? "true" : "false") }
    func encode(_ value: String) { output.json.write(value) }
    func encode(_ value: Int) { output.json.write(value) }
    func encode(_ value: Int8) { output.json.write(value) }
    func encode(_ value: Int16) { output.json.write(value) }
    func encode(_ value: Int32) { output.json.write(value) }
    func encode(_ value: Int64) { output.json.write(value) }
    func encode(_ value: UInt) { output.json.write(value) }
    func encode(_ value: UInt8) { output.json.write(value) }
    func encode(_ value: UInt16) { output.json.write(value) }
    func encode(_ value: UInt32) { output.json.write(value) }
    func encode(_ value: UInt64) { output.json.write(value) }
    func encode(_ value: Double) throws { if !output.json.write(value) { throw noNumber(value) } }
    func encode(_ value: Float) throws { if !output.json.write(value) { throw noNumber(value) } }
    func encode(_ value: some Encodable) throws { try write(value, under: nil) }

    private func noNumber(_ value: Any) -> EncodingError {
        .invalidValue(value, .init(codingPath: codingPath, debugDescription: "\(value) is no number in JSON"))
    }
}
