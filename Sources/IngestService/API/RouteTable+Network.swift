// SPDX-License-Identifier: Apache-2.0

extension RouteTable {
    /// What programs did over a network.
    static let network: [Route] = [
        Route(
            method: "GET", pattern: project + "/network", access: .token(.read),
            summary:
                "Network records, those that came last first; in flight, failed or slow ones where that is asked for.",
            query: ["cursor", "limit"] + NetworkHandlers.parameters, handler: NetworkHandlers.list),
        Route(
            method: "GET", pattern: project + "/network/{id}", access: .token(.read),
            summary: "A network record with its headers, bodies and their sizes.", handler: NetworkHandlers.show),
        Route(
            method: "GET", pattern: project + "/network-routes", access: .token(.read),
            summary: "How exchanges went, by host and route: times, failures and sizes.", query: ["days"],
            handler: NetworkHandlers.routes),
        Route(
            method: "GET", pattern: project + "/capabilities", access: .token(.read),
            summary: "What programs could tell of in their sessions, and why not of the rest.",
            query: ["cursor", "limit"], handler: NetworkHandlers.capabilities),
        Route(
            method: "GET", pattern: project + "/diagnostics", access: .token(.read),
            summary: "What could not be read of what programs sent.", query: ["cursor", "limit"],
            handler: NetworkHandlers.diagnostics),
        Route(
            method: "GET", pattern: "/network", access: .session(.read),
            summary: "The page: network records, and how exchanges went.",
            query: ["cursor", "limit"] + NetworkHandlers.parameters, handler: NetworkPageHandlers.list, answer: .page),
        Route(
            method: "GET", pattern: "/network/{id}", access: .session(.read),
            summary: "The page: a network record.", handler: NetworkPageHandlers.show, answer: .page),
    ]
}
