// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// A field of the JSON object that a route takes, as the API's description has it.
struct RouteField: Sendable {
    var name: String
    /// JSON Schema, as OpenAPI 3.1 uses it.
    var schema: JSONValue
    var isRequired = false

    static func text(_ name: String, longest: Int = RequestFields.longestName, required: Bool = false) -> RouteField {
        var type: JSONValue = ["string", "null"]
        if required { type = "string" }
        return RouteField(
            name: name, schema: ["type": type, "minLength": 1, "maxLength": .integer(Int64(longest))],
            isRequired: required)
    }

    static func integer(_ name: String, _ range: ClosedRange<Int64>, required: Bool = false) -> RouteField {
        RouteField(
            name: name,
            schema: ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)],
            isRequired: required)
    }

    static func choice(_ name: String, _ words: [String]) -> RouteField {
        RouteField(name: name, schema: ["type": "string", "enum": .array(words.map { .string($0) })])
    }

    static func time(_ name: String) -> RouteField {
        RouteField(name: name, schema: ["type": "string", "format": "date-time"])
    }

    static func texts(_ name: String, pattern: String) -> RouteField {
        RouteField(
            name: name,
            schema: [
                "type": "array", "minItems": 1, "maxItems": .integer(Int64(MoveHandlers.mostChosen)),
                "items": ["type": "string", "pattern": .string(pattern)],
            ])
    }

    /// The same field where it must be there.
    var needed: RouteField {
        var field = self
        field.isRequired = true
        return field
    }
}
