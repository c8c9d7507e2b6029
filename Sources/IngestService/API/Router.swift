// SPDX-License-Identifier: Apache-2.0

/// Finds the route of a request.
struct Router: Sendable {
    let routes: [Route]

    func match(method: String, path: String) throws(APIError) -> (Route, [String: String]) {
        guard path.utf8.count <= 2048 else {
            throw APIError(414, "path_too_long", "the path is longer than 2048 bytes")
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let wanted = parts == [""] ? [] : Array(parts)
        let matches = routes.compactMap { route in Self.parameters(route, wanted).map { (route, $0) } }
        if let found = matches.first(where: { $0.0.method == method }) { return found }
        guard !matches.isEmpty else {
            throw APIError.notFound("there is nothing at this address; /openapi.json lists what there is")
        }
        let allowed = Set(matches.map(\.0.method)).sorted().joined(separator: ", ")
        throw APIError(
            405, "method_not_allowed", "this address takes \(allowed), not \(method.prefix(20))",
            headers: [("Allow", allowed)])
    }

    private static func parameters(_ route: Route, _ path: [Substring]) -> [String: String]? {
        let pattern = route.parts
        var result: [String: String] = [:]
        for (index, part) in pattern.enumerated() {
            if part.hasSuffix("...}") {
                guard path.count > index else { return nil }
                result[String(part.dropFirst().dropLast(4))] = path[index...].joined(separator: "/")
                return result
            }
            guard index < path.count else { return nil }
            if part.hasPrefix("{") {
                guard !path[index].isEmpty else { return nil }
                result[String(part.dropFirst().dropLast())] = String(path[index])
            } else if part != path[index] {
                return nil
            }
        }
        return path.count == pattern.count ? result : nil
    }
}
