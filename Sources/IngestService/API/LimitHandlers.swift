// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// A project's limits, and what was turned away for them.
enum LimitHandlers {
    private static let most = 100_000_000
    private static let mostDays = 36_500

    static func show(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let project = try request.requireProject()
        let own = try service.store.rateLimits(project: project.id)
        let ownKeep = try service.store.retention(project: project.id)
        let turnedAway = service.quotas.turnedAway(project: project.id)
        let kept = try service.store.keptEvents(project: project.id)
        return try .json(
            LimitsDocument(
                perMinute: .init(service.options.limits.rates.overridden(by: own)), own: .init(own),
                keep: .init(service.options.limits.retention.overridden(by: ownKeep)), ownKeep: .init(ownKeep),
                kept: .init(events: kept.stored, of: kept.all), disk: .init(service.disk),
                turnedAway: .init(since: service.quotas.since, batches: turnedAway.batches, items: turnedAway.items)))
    }

    /// Sets those that the query names; the others stay.
    static func set(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let project = try request.requireProject()
        var own = try service.store.rateLimits(project: project.id)
        try set(&own.projectItems, "project_items", "a number a minute", most, request)
        try set(&own.keyItems, "key_items", "a number a minute", most, request)
        try set(&own.issueEvents, "issue_events", "a number a minute", most, request)
        let before = try service.store.retention(project: project.id)
        var keep = before
        try set(&keep.days, "keep_days", "a number of days", mostDays, request)
        try set(&keep.issueEvents, "keep_issue_events", "a number", most, request)
        try set(&keep.events, "keep_events", "a number", most, request)
        try service.store.setRateLimits(own, project: project.id)
        if keep != before {
            try service.store.setRetention(keep, project: project.id)
            service.housekeeping.wake()
        }
        return try show(service, request)
    }

    private static func set(
        _ value: inout Int?, _ name: String, _ what: String, _ most: Int, _ request: HTTPRequest
    ) throws(APIError) {
        guard let text = request.query[name] else { return }
        if text == "default" {
            value = nil
            return
        }
        guard let number = Int(text), (0...most).contains(number) else {
            throw APIError(
                400, "invalid_limit",
                "\"\(name)\" takes \(what) up to \(most), 0 for no limit, or \"default\" for the server's own")
        }
        value = number
    }
}
