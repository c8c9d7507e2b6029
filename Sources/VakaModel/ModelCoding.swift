// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// The one way documents are written and read: sorted keys, no escaped slashes, so that equal values are equal bytes.
public enum ModelCoding {
    public static func encode(_ value: some Encodable, pretty: Bool = false) throws -> Data {
        guard pretty else { return try compact(value) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        encoder.dataEncodingStrategy = .base64
        return try encoder.encode(value)
    }

    /// What `JSONEncoder` writes, byte for byte, in a fraction of its time.
    private static func compact(_ value: some Encodable) throws -> Data {
        let output = JSONBytes()
        let root = JSONNode(output, at: [])
        try root.encode(value)
        return Data(output.bytes)
    }

    public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }
}
