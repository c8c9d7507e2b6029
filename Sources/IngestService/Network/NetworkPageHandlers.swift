// SPDX-License-Identifier: Apache-2.0
import EventStore

/// `/network` and `/network/{id}`
enum NetworkPageHandlers {
    private static let mostRoutes = 50
    private static let mostDiagnostics = 20

    static func list(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let paging = try Paging(request)
        let project = try request.requireProject().id
        let query = try NetworkHandlers.query(request)
        let isFirst = paging.cursor == nil
        let page = NetworkPage(
            query: query,
            exchanges: try service.store.exchanges(project: project, query, after: paging.cursor, limit: paging.limit),
            timings: isFirst
                ? try NetworkHandlers.timings(service, request, days: NetworkHandlers.usualDays).prefix(mostRoutes)
                    .map { $0 } : [],
            diagnostics: isFirst
                ? try service.store.diagnostics(project: project, after: nil, limit: mostDiagnostics).items : [])
        return WebPage(request, title: "Network", section: .network, content: page.content).response()
    }

    static func show(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let exchange = try NetworkHandlers.find(service, request)
        return WebPage(
            request, title: "\(exchange.record.method) \(exchange.record.url)", section: .network,
            content: ExchangePage(exchange: exchange).content
        ).response()
    }
}
