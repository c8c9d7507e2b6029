// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// The one way documents are written and read: sorted keys, no escaped slashes, so that equal values are equal bytes.
public enum ModelCoding {
    public static func encode(_ value: some Encodable, pretty: Bool = false) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
        encoder.dataEncodingStrategy = .base64
        return try encoder.encode(value)
    }

    public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }
}
