// SPDX-License-Identifier: Apache-2.0

/// Finds the route of a request.
struct Router: Sendable {
    /// Addresses without parameters, found at once.
    private let fixed: [String: [Route]]
    private let others: [(pattern: PathPattern, route: Route)]

    init(routes: [Route]) {
        let all = routes.map { (pattern: PathPattern($0.pattern), route: $0) }
        fixed = Dictionary(grouping: all.filter(\.pattern.isFixed), by: \.pattern.text).mapValues { $0.map(\.route) }
        others = all.filter { !$0.pattern.isFixed }
    }

    func match(method: String, path: String) throws(APIError) -> (Route, [String: String]) {
        guard path.utf8.count <= 2048 else {
            throw APIError(414, "path_too_long", "the path is longer than 2048 bytes")
        }
        let same = fixed[path] ?? []
        if let found = same.first(where: { $0.method == method }) { return (found, [:]) }
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        var methods = Set(same.map(\.method))
        for (pattern, route) in others {
            guard let parameters = pattern.parameters(parts) else { continue }
            if route.method == method { return (route, parameters) }
            methods.insert(route.method)
        }
        guard !methods.isEmpty else {
            throw APIError.notFound("there is nothing at this address; /openapi.json lists what there is")
        }
        let allowed = methods.sorted().joined(separator: ", ")
        throw APIError(
            405, "method_not_allowed", "this address takes \(allowed), not \(method.prefix(20))",
            headers: [("Allow", allowed)])
    }
}
