// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Describes the routes in OpenAPI 3.1, from the table that they are served from.
enum OpenAPI {
    static func document(_ routes: [Route]) -> JSONValue {
        var paths: [String: JSONValue] = [:]
        for route in routes {
            var methods = paths[path(route)]?.object ?? [:]
            methods[route.method.lowercased()] = operation(route)
            paths[path(route)] = .object(methods)
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
            "x-vaka-permission": route.access.permission.map { .string($0.rawValue) } ?? .null,
            "operationId": .string(identifier(route)), "tags": .array([isPage(route) ? "page" : "api"]),
            "parameters": .array(parameters(route)), "responses": responses(route),
        ]
        if let body = body(route) { operation["requestBody"] = body }
        return .object(operation)
    }

    /// The pattern as OpenAPI writes it.
    private static func path(_ route: Route) -> String {
        route.pattern.replacing("...}", with: "}")
    }

    private static func identifier(_ route: Route) -> String {
        let words = path(route).split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }
        return ([route.method.lowercased()] + words.map(String.init)).joined(separator: ".")
    }

    /// What people see in a browser.
    private static func isPage(_ route: Route) -> Bool {
        route.access.isSession || [.page, .style, .script].contains(route.answer)
    }

    private static func parameters(_ route: Route) -> [JSONValue] {
        let inPath = path(route).split(separator: "/").filter { $0.hasPrefix("{") }.map { part -> JSONValue in
            let name = String(part.dropFirst().dropLast())
            return [
                "name": .string(name), "in": "path", "required": true, "schema": schema(ofPart: name, in: route),
            ]
        }
        return inPath
            + route.query.map { name in
                [
                    "name": .string(name), "in": "query", "required": .bool(route.required.contains(name)),
                    "schema": schema(ofQuery: name, in: route),
                ]
            }
    }

    private static func security(_ access: Access) -> JSONValue {
        switch access {
        case .open: .array([])
        case .ingestKey: .array([["ingestKey": .array([])]])
        case .token: .array([["adminToken": .array([])], ["adminTokenBasic": .array([])]])
        case .session: .array([["session": .array([])]])
        case .loopbackOrToken: .array([[:], ["adminToken": .array([])], ["adminTokenBasic": .array([])]])
        }
    }
}
