// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Describes the routes in OpenAPI 3.1, from the table that they are served from.
enum OpenAPI {
    static func document(_ routes: [Route]) -> JSONValue {
        var paths: [String: JSONValue] = [:]
        for route in routes {
            var methods = paths[route.pattern]?.object ?? [:]
            methods[route.method.lowercased()] = operation(route)
            paths[route.pattern] = .object(methods)
        }
        return [
            "openapi": "3.1.0",
            "info": ["title": "Vaka", "version": "1", "description": "Crash reporting for native programs."],
            "components": ["securitySchemes": schemes, "schemas": schemas],
            "paths": .object(paths),
        ]
    }

    private static let schemes: JSONValue = [
        "ingestKey": ["type": "http", "scheme": "bearer", "description": "vk_…"],
        "adminToken": ["type": "http", "scheme": "bearer", "description": "va_…"],
        "adminTokenBasic": ["type": "http", "scheme": "basic", "description": "any user, the va_… token as password"],
        "session": ["type": "apiKey", "in": "cookie", "name": .string(Authenticator.sessionCookie)],
    ]

    private static let schemas: JSONValue = [
        "Error": [
            "type": "object", "required": .array(["error"]),
            "properties": [
                "error": [
                    "type": "object", "required": .array(["code", "message"]),
                    "properties": ["code": ["type": "string"], "message": ["type": "string"]],
                ]
            ],
        ]
    ]

    private static func operation(_ route: Route) -> JSONValue {
        var operation: [String: JSONValue] = [
            "summary": .string(route.summary), "security": security(route.access),
            "parameters": .array(parameters(route)),
            "responses": [
                "2XX": ["description": "done"],
                "default": [
                    "description": "refused",
                    "content": ["application/json": ["schema": ["$ref": "#/components/schemas/Error"]]],
                ],
            ],
        ]
        if let type = mediaType(route.body) {
            operation["requestBody"] = ["required": true, "content": .object([type: ["schema": [:]]])]
        }
        return .object(operation)
    }

    private static func parameters(_ route: Route) -> [JSONValue] {
        let inPath = route.parts.filter { $0.hasPrefix("{") }.map { part -> JSONValue in
            [
                "name": .string(String(part.dropFirst().dropLast())), "in": "path", "required": true,
                "schema": ["type": "string"],
            ]
        }
        return inPath + route.query.map { ["name": .string($0), "in": "query", "schema": ["type": "string"]] }
    }

    private static func mediaType(_ body: Route.BodyPolicy) -> String? {
        switch body {
        case .none: nil
        case .form: "application/x-www-form-urlencoded"
        case .json, .batch: "application/json"
        case .image: "application/octet-stream"
        }
    }

    private static func security(_ access: Access) -> JSONValue {
        switch access {
        case .open: .array([])
        case .ingestKey: .array([["ingestKey": .array([])]])
        case .adminToken: .array([["adminToken": .array([])], ["adminTokenBasic": .array([])]])
        case .session: .array([["session": .array([])]])
        case .loopbackOrToken: .array([[:], ["adminToken": .array([])], ["adminTokenBasic": .array([])]])
        }
    }
}
