// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
    /// What kind of value comes next.
    enum Kind: String {
        case null
        case bool = "true or false"
        case number = "a number"
        case string = "a text"
        case array = "an array"
        case object = "an object"
        case none = "no value"
    }

    var kind: Kind {
        guard let byte = lexer.byte else { return .none }
        return switch byte {
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "n"): .null
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
        default: .none
        }
    }

    /// The value that comes next is of the wrong kind.
    func mismatch(_ wanted: String) -> any Error {
        let context = DecodingError.Context(
            codingPath: path, debugDescription: "\(wanted) is expected and not \(kind.rawValue)")
        return switch kind {
        case .none: lexer.fault("a value is expected")
        case .null: DecodingError.valueNotFound(Any.self, context)
        default: DecodingError.typeMismatch(Any.self, context)
        }
    }

    /// A value is of the right kind and cannot be read.
    func corrupted(_ problem: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: path, debugDescription: problem))
    }

    /// An object has no member of this name. To be asked for when the object was left.
    package func require<Value>(_ value: Value?, _ key: some CodingKey) throws -> Value {
        guard let value else { throw missing(key) }
        return value
    }

    package func missing(_ key: some CodingKey) -> DecodingError {
        .keyNotFound(key, .init(codingPath: path, debugDescription: "\"\(key.stringValue)\" is missing"))
    }
}

/// A place in a document.
struct JSONPathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(intValue) }
}
