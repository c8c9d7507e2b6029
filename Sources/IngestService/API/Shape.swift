// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// JSON Schemas of answers. What is described is always there; more may come with later versions.
enum Shape {
    static let text: JSONValue = ["type": "string"]
    static let number: JSONValue = ["type": "number"]
    static let integer: JSONValue = ["type": "integer"]
    static let truth: JSONValue = ["type": "boolean"]
    static let time: JSONValue = ["type": "string", "format": "date-time"]
    static let anyObject: JSONValue = ["type": "object"]
    static let anyArray: JSONValue = ["type": "array"]

    static func orNull(_ schema: JSONValue) -> JSONValue { ["anyOf": .array([schema, ["type": "null"]])] }

    static func array(_ items: JSONValue) -> JSONValue { ["type": "array", "items": items] }

    static func words(_ words: String...) -> JSONValue {
        ["type": "string", "enum": .array(words.map { .string($0) })]
    }

    /// An object of any names.
    static func map(_ values: JSONValue) -> JSONValue { ["type": "object", "additionalProperties": values] }

    /// All of these fields.
    static func object(_ fields: [String: JSONValue]) -> JSONValue { object(fields, optional: [:]) }

    /// All of these fields, and others that may be left out.
    static func object(_ fields: [String: JSONValue], optional: [String: JSONValue]) -> JSONValue {
        [
            "type": "object", "properties": .object(fields.merging(optional) { $1 }),
            "required": .array(fields.keys.sorted().map { .string($0) }),
        ]
    }

    /// A part of a list, and where it goes on.
    static func list(_ name: String, _ items: JSONValue) -> JSONValue {
        object([name: array(items), "next_cursor": orNull(text)])
    }
}
