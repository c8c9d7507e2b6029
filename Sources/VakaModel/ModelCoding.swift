// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// The one way documents are written and read: sorted keys, no escaped slashes, so that equal values are equal bytes.
public enum ModelCoding {
    public static func encode(_ value: some Encodable, pretty: Bool = false) throws -> Data {
        guard pretty else { return Data(try compact(value)) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        encoder.dataEncodingStrategy = .base64
        return try encoder.encode(value)
    }

    /// What `JSONEncoder` writes, byte for byte, in a fraction of its time.
    private static func compact(_ value: some Encodable) throws -> [UInt8] {
        if let value = value as? any JSONWritable { return try bytes(of: value) }
        let output = JSONOutput()
        let root = JSONNode(output, at: [])
        try root.encode(value)
        return output.bytes
    }

    private static func bytes(of value: some JSONWritable) throws -> [UInt8] {
        var json = JSONBytes()
        try value.write(to: &json)
        return json.bytes
    }

    /// For types that know no other way.
    package static func write(_ value: some JSONWritable) throws -> Data { Data(try bytes(of: value)) }
    package static func read<Value: JSONReadable>(_ type: Value.Type, from data: Data) throws -> Value {
        try JSONReader.read(type, from: Array(data))
    }

    /// What `JSONDecoder` reads; types that read themselves in a fraction of its time.
    public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        guard let readable = type as? any JSONReadable.Type,
            let value = try JSONReader.read(readable, from: Array(data)) as? Value
        else { return try JSONDecoder().decode(type, from: data) }
        return value
    }
}
