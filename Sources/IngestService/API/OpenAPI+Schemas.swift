// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

extension OpenAPI {
    /// What may stand for a part of the path.
    static func schema(ofPart name: String, in route: Route) -> JSONValue {
        if name == "name", route.pattern.contains("/users/") || route.pattern.contains("/members/") {
            return ["type": "string", "pattern": .string(AccountNames.userPattern)]
        }
        guard name == "id" else { return ["type": "string", "minLength": 1] }
        let numbered = ["/issues/", "/moves/", "/keys/", "/tokens/", "/network/"]
        if numbered.contains(where: route.pattern.contains) {
            return ["type": "integer", "minimum": 1]
        }
        if route.pattern.hasPrefix("/buildid/") { return ["type": "string", "pattern": "^([0-9a-f]{2}){2,32}$"] }
        return ["type": "string", "minLength": 1]
    }

    static func schema(ofQuery name: String, in route: Route) -> JSONValue {
        switch name {
        case "limit": ["type": "integer", "minimum": 1, "maximum": .integer(Int64(Paging.most))]
        case "cursor": ["type": "string", "pattern": "^(-?[0-9]{1,18}(\\.-?[0-9]{1,18})?)?$"]
        case "from", "to": ["type": "string", "format": "date-time"]
        case "unit": words(CountUnit.self)
        case "by": words(IssueValue.Kind.self)
        case "sort": words(IssueQuery.Sort.self)
        case "size": ["type": "integer", "minimum": 1, "maximum": .integer(ServiceLimits().uploadBytes)]
        case "offset": ["type": "integer", "minimum": 0, "maximum": .integer(ServiceLimits().uploadBytes)]
        case "thread": ["type": "integer", "minimum": 0, "maximum": .integer(.max)]
        case "sha256": ["type": "string", "pattern": "^[0-9a-f]{64}$"]
        case "state": words(NetworkQuery.State.self)
        case "slow_ms": ["type": "integer", "minimum": 0, "maximum": 3_600_000]
        case "days" where route.pattern.hasSuffix("/network-routes"):
            ["type": "integer", "minimum": 1, "maximum": .integer(Int64(NetworkHandlers.mostDays))]
        case "days" where route.pattern.hasSuffix("/reprocess"):
            ["type": "integer", "minimum": 0, "maximum": .integer(Int64(ReprocessHandlers.mostDays))]
        case "issue" where route.pattern.hasSuffix("/reprocess"):
            ["type": "integer", "minimum": 1, "maximum": .integer(.max)]
        case "unused_days": ["type": "integer", "minimum": 0, "maximum": 36_500]
        case "kind": ["type": "string", "enum": ["native", "package", "sources"]]
        case "build_id": ["type": "string", "pattern": "^([0-9a-f]{2}){2,32}$"]
        case "user" where route.pattern.hasSuffix("/user-data"):
            ["type": "string", "minLength": 1, "maxLength": 300]
        case "query": ["type": "string", "maxLength": .integer(Int64(IssueQuery.longest))]
        case "keep_days": limit(36_500)
        case "project_items", "key_items", "issue_events", "keep_issue_events", "keep_events": limit(100_000_000)
        default: ["type": "string"]
        }
    }

    /// `default` is the server's own.
    private static func limit(_ most: Int64) -> JSONValue {
        [
            "anyOf": [
                ["type": "integer", "minimum": 0, "maximum": .integer(most)], ["type": "string", "enum": ["default"]],
            ]
        ]
    }

    private static func words<Choice: CaseIterable & RawRepresentable>(_ type: Choice.Type) -> JSONValue
    where Choice.RawValue == String {
        ["type": "string", "enum": .array(Choice.allCases.map { .string($0.rawValue) })]
    }

    static func body(_ route: Route) -> JSONValue? {
        switch route.body {
        case .none: nil
        case .form: content("application/x-www-form-urlencoded", ["type": "object"])
        case .json: content("application/json", object(route))
        case .batch:
            [
                "required": true,
                "content": .object([
                    "application/json": ["schema": batch],
                    Batch.partsMediaType: ["schema": ["type": "string", "format": "binary"]],
                ]),
            ]
        case .image, .part: content("application/octet-stream", [:])
        case .files: content("multipart/form-data", ["type": "object"])
        }
    }

    private static let batch: JSONValue = [
        "type": "object", "required": ["items"], "properties": ["items": ["type": "array"]],
    ]

    private static func content(_ type: String, _ schema: JSONValue) -> JSONValue {
        ["required": true, "content": .object([type: ["schema": schema]])]
    }

    private static func object(_ route: Route) -> JSONValue {
        guard !route.combinations.isEmpty else { return object(route.fields, others: route.takesOtherFields) }
        return ["anyOf": .array(route.combinations.map { object(route.fields + $0, others: false) })]
    }

    private static func object(_ fields: [RouteField], others: Bool) -> JSONValue {
        [
            "type": "object", "additionalProperties": .bool(others),
            "properties": .object(
                Dictionary(fields.map { ($0.name, $0.schema) }, uniquingKeysWith: { _, last in last })),
            "required": .array(fields.filter(\.isRequired).map { .string($0.name) }),
        ]
    }

    static func responses(_ route: Route) -> JSONValue {
        let type = route.answer.rawValue
        var errors: [String: JSONValue] = ["application/json": ["schema": ["$ref": "#/components/schemas/Error"]]]
        if route.answer == .page { errors[type] = [:] }
        let answer: JSONValue = AnswerSchemas.schema(of: route).map { ["schema": $0] } ?? [:]
        var responses: [String: JSONValue] = [
            "2XX": ["description": "done", "content": .object([type: answer])],
            "3XX": ["description": "unchanged, or elsewhere"],
            "default": ["description": "refused", "content": .object(errors)],
        ]
        for (status, schema) in AnswerSchemas.refusals(of: route) {
            responses[status] = [
                "description": "refused, and why", "content": ["application/json": ["schema": schema]],
            ]
        }
        return .object(responses)
    }
}
