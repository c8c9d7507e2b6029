// SPDX-License-Identifier: Apache-2.0

/// The members of an object.
struct JSONObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: JSONNode
    var codingPath: [any CodingKey] { node.codingPath }

    func encodeNil(forKey key: Key) { node.member(key) { node.encodeNil() } }
    func encode(_ value: Bool, forKey key: Key) { node.member(key) { node.encode(value) } }
    func encode(_ value: String, forKey key: Key) { node.member(key) { node.encode(value) } }
    func encode(_ value: Int, forKey key: Key) { node.member(key) { node.encode(value) } }
    func encode(_ value: Int8, forKey key: Key) { node.member(key) { node.encode(value) } }
    func encode(_ value: Int16, forKey key: Key) { node.member(key) { node.encode(value) } }
    func encode(_ value: Int32, forKey key: Key) { node.member(key) { node.encode(value) } }
    func encode(_ value: Int64, forKey key: Key) { node.member(key) { node.encode(value) } }
    func encode(_ value: UInt, forKey key: Key) { node.member(key) { node.encode(value) } }
    func encode(_ value: UInt8, forKey key: Key) { node.member(key) { node.encode(value) } }
    func encode(_ value: UInt16, forKey key: Key) { node.member(key) { node.encode(value) } }
    func encode(_ value: UInt32, forKey key: Key) { node.member(key) { node.encode(value) } }
    func encode(_ value: UInt64, forKey key: Key) { node.member(key) { node.encode(value) } }
    func encode(_ value: Double, forKey key: Key) throws { try node.member(key) { try node.encode(value) } }
    func encode(_ value: Float, forKey key: Key) throws { try node.member(key) { try node.encode(value) } }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try node.member(key) { try node.write(value, under: key) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        node.part(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        node.part(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { node.part(SuperKey()) }
    func superEncoder(forKey key: Key) -> any Encoder { node.part(key) }
}

/// The name under which a class writes what it inherits.
private struct SuperKey: CodingKey {
    var stringValue: String { "super" }
    var intValue: Int? { nil }
    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}

/// The elements of an array.
struct JSONArrayContainer: UnkeyedEncodingContainer {
    let node: JSONNode
    var codingPath: [any CodingKey] { node.codingPath }
    var count: Int { node.count }

    func encodeNil() { node.element { node.encodeNil() } }
    func encode(_ value: Bool) { node.element { node.encode(value) } }
    func encode(_ value: String) { node.element { node.encode(value) } }
    func encode(_ value: Int) { node.element { node.encode(value) } }
    func encode(_ value: Int8) { node.element { node.encode(value) } }
    func encode(_ value: Int16) { node.element { node.encode(value) } }
    func encode(_ value: Int32) { node.element { node.encode(value) } }
    func encode(_ value: Int64) { node.element { node.encode(value) } }
    func encode(_ value: UInt) { node.element { node.encode(value) } }
    func encode(_ value: UInt8) { node.element { node.encode(value) } }
    func encode(_ value: UInt16) { node.element { node.encode(value) } }
    func encode(_ value: UInt32) { node.element { node.encode(value) } }
    func encode(_ value: UInt64) { node.element { node.encode(value) } }
    func encode(_ value: Double) throws { try node.element { try node.encode(value) } }
    func encode(_ value: Float) throws { try node.element { try node.encode(value) } }

    func encode(_ value: some Encodable) throws {
        try node.element { try node.write(value, under: nil) }
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        node.part().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { node.part().unkeyedContainer() }
    func superEncoder() -> any Encoder { node.part() }
}
