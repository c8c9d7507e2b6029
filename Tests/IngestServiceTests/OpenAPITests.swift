// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import VakaModel

@testable import IngestService

struct OpenAPITests {
    @Test func `the description has every route, its parameters and its body, and nothing else`() throws {
        let server = try ServerProcess()
        let served = try ModelCoding.decode(JSONValue.self, from: try server.client.send("GET", "/openapi.json").body)
        var described: Set<String> = []
        for (path, methods) in served["paths"]?.object ?? [:] {
            for method in (methods.object ?? [:]).keys { described.insert(method.uppercased() + " " + path) }
        }
        var ids: Set<String> = []
        for route in RouteTable.routes {
            let path = route.pattern.replacing("...}", with: "}")
            #expect(described.remove("\(route.method) \(path)") != nil, "\(route.method) \(path)")
            let operation = served["paths"]?[path]?[route.method.lowercased()]
            let names = operation?["parameters"]?.array.compactMap { $0["name"]?.string } ?? []
            let parts = path.matches(of: /\{(\w+)\}/).map { String($0.1) }
            #expect(names == parts + route.query, "\(path)")
            let takesBody = if case .none = route.body { false } else { true }
            #expect((operation?["requestBody"] != nil) == takesBody, "\(path)")
            let answer = operation?["responses"]?["2XX"]?["content"]?[route.answer.rawValue]
            #expect((answer?["schema"] != nil) == (route.answer == .json), "\(route.method) \(path)")
            ids.insert(try #require(operation?["operationId"]?.string))
        }
        #expect(described.isEmpty)
        #expect(ids.count == RouteTable.routes.count)
    }
}
