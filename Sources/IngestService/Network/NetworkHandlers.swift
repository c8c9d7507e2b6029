// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// Network records, how exchanges went, what programs could tell of, and what could not be read.
enum NetworkHandlers {
    /// Of a query.
    static let parameters = ["state", "slow_ms", "site", "route", "request_id", "install_id"]
    /// Exchanges that are looked at for their times.
    static let mostMeasured = 20_000
    static let mostRoutes = 500
    static let usualDays = 7
    static let mostDays = 366

    /// `GET …/network`
    static func list(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let paging = try Paging(request)
        let page = try service.store.exchanges(
            project: try request.requireProject().id, try query(request), after: paging.cursor, limit: paging.limit)
        return try .json(
            ListDocument(name: "network", items: page.items.map(NetworkDocument.summary), next: page.next))
    }

    /// `GET …/network/{id}`
    static func show(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try .json(NetworkDocument.detail(try find(service, request)))
    }

    static func find(_ service: Service, _ request: HTTPRequest) throws -> StoredExchange {
        let text = request.parameters["id"] ?? ""
        guard let id = Int64(text),
            let exchange = try service.store.exchange(project: try request.requireProject().id, id: id)
        else {
            throw APIError.notFound("there is no network record \(text.prefix(40)) in this project")
        }
        return exchange
    }

    /// `GET …/network-routes`
    static func routes(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let timings = try timings(service, request, days: try days(request))
        return try .json(ListDocument(name: "routes", items: timings.prefix(mostRoutes).map { $0 }, next: nil))
    }

    static func timings(_ service: Service, _ request: HTTPRequest, days: Int) throws -> [RouteTiming] {
        let since = service.store.now.milliseconds - Int64(days) * CountUnit.day.milliseconds
        return RouteTiming.all(
            try service.store.measures(
                project: try request.requireProject().id, since: Timestamp(milliseconds: since), limit: mostMeasured))
    }

    static func days(_ request: HTTPRequest) throws(APIError) -> Int {
        guard let text = request.query["days"] else { return usualDays }
        guard let days = Int(text), (1...mostDays).contains(days) else {
            throw RequestFields.wrong("days", "must be a number from 1 to \(mostDays)")
        }
        return days
    }

    static func query(_ request: HTTPRequest) throws(APIError) -> NetworkQuery {
        var query = NetworkQuery()
        // A form sends what was left empty.
        func given(_ name: String) -> String? { request.query[name].flatMap { $0.isEmpty ? nil : $0 } }
        if given("state") != nil { query.state = try CountHandlers.choice("state", NetworkQuery.State.self, request) }
        if let text = given("slow_ms") {
            guard let slow = Int(text), (0...3_600_000).contains(slow) else {
                throw RequestFields.wrong("slow_ms", "must be a number from 0 to 3600000")
            }
            query.slow = Double(slow)
        }
        query.site = given("site")
        query.route = given("route")
        query.requestID = given("request_id")
        query.installID = given("install_id")
        return query
    }

    struct CapabilitiesDocument: Encodable {
        @ExplicitNull var installID: String?
        @ExplicitNull var session: String?
        var timestamp: Timestamp
        @ExplicitNull var release: String?
        @ExplicitNull var environment: String?
        var capabilities: [CapabilityDescriptor]

        init(_ stored: StoredCapabilities) {
            installID = stored.installID
            session = stored.report.session
            timestamp = stored.report.timestamp
            release = stored.report.release
            environment = stored.report.environment
            capabilities = stored.report.capabilities
        }

        enum CodingKeys: String, CodingKey {
            case installID = "install_id"
            case session, timestamp, release, environment, capabilities
        }
    }

    /// `GET …/capabilities`
    static func capabilities(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let paging = try Paging(request)
        let page = try service.store.capabilities(
            project: try request.requireProject().id, after: paging.cursor, limit: paging.limit)
        return try .json(
            ListDocument(name: "capabilities", items: page.items.map(CapabilitiesDocument.init), next: page.next))
    }

    struct DiagnosticDocument: Encodable {
        var id: Int64
        var at: Timestamp
        var level: String
        var tag: String
        var code: String
        @ExplicitNull var installID: String?
        var message: String

        init(_ stored: StoredDiagnostic) {
            id = stored.id
            at = stored.at
            level = stored.level
            tag = stored.tag
            code = stored.code
            installID = stored.installID
            message = stored.message
        }

        enum CodingKeys: String, CodingKey {
            case id, at, level, tag, code
            case installID = "install_id"
            case message
        }
    }

    /// `GET …/diagnostics`
    static func diagnostics(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let paging = try Paging(request)
        let page = try service.store.diagnostics(
            project: try request.requireProject().id, after: paging.cursor, limit: paging.limit)
        return try .json(
            ListDocument(name: "diagnostics", items: page.items.map(DiagnosticDocument.init), next: page.next))
    }
}
