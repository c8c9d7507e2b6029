// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// A project's limits, and what was turned away for them.
enum LimitHandlers {
    private struct LimitsDocument: Encodable {
        struct Rates: Encodable {
            @ExplicitNull var projectItems: Int?
            @ExplicitNull var keyItems: Int?
            @ExplicitNull var issueEvents: Int?

            init(_ limits: RateLimits) {
                projectItems = limits.projectItems
                keyItems = limits.keyItems
                issueEvents = limits.issueEvents
            }

            enum CodingKeys: String, CodingKey {
                case projectItems = "project_items"
                case keyItems = "key_items"
                case issueEvents = "issue_events"
            }
        }

        struct TurnedAway: Encodable {
            var since: Timestamp
            var batches: Int
            var items: Int
        }

        /// In a minute, as they hold; null is no limit.
        var perMinute: Rates
        /// As the project set them; null is as the server's options say, 0 is no limit.
        var own: Rates
        var turnedAway: TurnedAway

        enum CodingKeys: String, CodingKey {
            case perMinute = "per_minute"
            case own
            case turnedAway = "turned_away"
        }
    }

    static func show(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let project = try request.requireProject()
        let own = try service.store.rateLimits(project: project.id)
        let turnedAway = service.quotas.turnedAway(project: project.id)
        return try .json(
            LimitsDocument(
                perMinute: .init(service.options.limits.rates.overridden(by: own)), own: .init(own),
                turnedAway: .init(since: service.quotas.since, batches: turnedAway.batches, items: turnedAway.items)))
    }

    /// Sets those that the query names; the others stay.
    static func set(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let project = try request.requireProject()
        var own = try service.store.rateLimits(project: project.id)
        try set(&own.projectItems, "project_items", request)
        try set(&own.keyItems, "key_items", request)
        try set(&own.issueEvents, "issue_events", request)
        try service.store.setRateLimits(own, project: project.id)
        return try show(service, request)
    }

    private static let most = 100_000_000

    private static func set(_ value: inout Int?, _ name: String, _ request: HTTPRequest) throws(APIError) {
        guard let text = request.query[name] else { return }
        if text == "default" {
            value = nil
            return
        }
        guard let number = Int(text), (0...most).contains(number) else {
            throw APIError(
                400, "invalid_limit",
                "\"\(name)\" takes a number a minute up to \(most), 0 for no limit, or \"default\" for the server's own"
            )
        }
        value = number
    }
}
