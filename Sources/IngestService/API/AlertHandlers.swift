// SPDX-License-Identifier: Apache-2.0
import Alerts
import EventStore
import FoundationEssentials
import Glibc
import VakaModel

/// Whom a project tells of what, and what became of that.
enum AlertHandlers {
    /// Of a project.
    private static let mostTargets = 50
    private static let mostShown = 200
    private static let testSeconds = 20.0
    static let kinds = AlertKind.chosen

    static let address = RouteField(
        name: "address", schema: ["type": "string", "minLength": 1, "maxLength": 2000], isRequired: true)
    static let channel = RouteField.choice("channel", AlertTarget.Channel.allCases.map(\.rawValue)).needed
    static let kindList = RouteField(
        name: "kinds",
        schema: [
            "type": "array", "minItems": 1, "maxItems": .integer(Int64(kinds.count)),
            "items": ["type": "string", "enum": .array(kinds.map { .string($0.rawValue) })],
        ])

    struct TargetDocument: Encodable {
        var id: Int64
        var channel: String
        var address: String
        var kinds: [String]
        var createdAt: Timestamp
        /// Shown once, when the target is made.
        var secret: String?

        enum CodingKeys: String, CodingKey {
            case id, channel, address, kinds, secret
            case createdAt = "created_at"
        }

        init(_ target: AlertTarget, secret: String? = nil) {
            id = target.id
            channel = target.channel.rawValue
            address = target.address
            kinds = target.kinds.map(\.rawValue).sorted()
            createdAt = target.createdAt
            self.secret = secret
        }
    }

    private struct TargetListDocument: Encodable {
        var alertTargets: [TargetDocument]
        enum CodingKeys: String, CodingKey { case alertTargets = "alert_targets" }
    }

    private struct AlertListDocument: Encodable {
        var alerts: [AlertDocument]
    }

    private struct AlertDocument: Encodable {
        var id: Int64
        var targetID: Int64
        var channel: String
        var kind: String
        @ExplicitNull var issueID: Int64?
        var title: String
        var createdAt: Timestamp
        var state: String
        var attempts: Int
        @ExplicitNull var nextAt: Timestamp?
        @ExplicitNull var lastError: String?

        enum CodingKeys: String, CodingKey {
            case id, channel, kind, title, state, attempts
            case targetID = "target_id"
            case issueID = "issue_id"
            case createdAt = "created_at"
            case nextAt = "next_at"
            case lastError = "last_error"
        }

        init(_ alert: Alert) {
            id = alert.id
            targetID = alert.target.id
            channel = alert.target.channel.rawValue
            kind = alert.kind.rawValue
            issueID = alert.issue
            title = alert.title
            createdAt = alert.createdAt
            state = alert.state.rawValue
            attempts = alert.attempts
            nextAt = alert.state == .waiting ? alert.nextAt : nil
            lastError = alert.lastError
        }
    }

    /// `GET …/alert-targets`
    static func list(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let targets = try service.store.alertTargets(project: try request.requireProject().id)
        return try .json(TargetListDocument(alertTargets: targets.map { TargetDocument($0) }))
    }

    /// `POST …/alert-targets`
    static func add(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let project = try request.requireProject()
        let fields = try RequestFields(request, allowed: ["channel", "address", "kinds"])
        guard let name = try fields.text("channel"), let channel = AlertTarget.Channel(rawValue: name) else {
            throw RequestFields.wrong("channel", "must be webhook, slack or email")
        }
        guard let address = try fields.text("address", longest: 2000) else {
            throw RequestFields.wrong("address", "is missing")
        }
        let words = try fields.texts("kinds", most: kinds.count) ?? kinds.map(\.rawValue)
        let chosen = kinds.filter { words.contains($0.rawValue) }
        guard words.allSatisfy({ word in kinds.contains { $0.rawValue == word } }) else {
            throw RequestFields.wrong("kinds", "may hold \(kinds.map(\.rawValue).joined(separator: ", "))")
        }
        do throws(AlertFailure) {
            try service.alertChannels.check(channel, address)
        } catch {
            throw RequestFields.wrong("address", "cannot be used: \(error)")
        }
        guard try service.store.alertTargets(project: project.id).count < mostTargets else {
            throw APIError(409, "too_many_targets", "a project tells \(mostTargets) targets at most; remove one first")
        }
        let target = try service.store.addAlertTarget(
            AlertTarget(
                project: project.id, channel: channel, address: address, kinds: Set(chosen),
                secret: channel == .webhook ? Secrets.random() : "", createdAt: .now))
        return try .json(TargetDocument(target, secret: channel == .webhook ? target.secret : nil), status: 201)
    }

    /// `POST …/alert-targets/{id}/remove`
    static func remove(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let target = try find(service, request)
        _ = try service.store.removeAlertTarget(target.id, project: target.project)
        return try .json(TargetDocument(target))
    }

    /// `POST …/alert-targets/{id}/test`: what became of the first attempt.
    static func test(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let target = try find(service, request)
        let key = "test:" + Secrets.random()
        _ = try service.store.addAlerts(
            AlertSubject(
                kind: .test, project: target.project, onceKey: key, title: "this is a test", at: service.store.now),
            only: target.id)
        service.alerts.wake()
        let end = ContinuousClock.now + .seconds(testSeconds)
        while true {
            let alert = try service.store.alerts(project: target.project, most: mostShown)
                .first { $0.kind == .test && $0.target.id == target.id }
            guard let alert else { throw APIError.notFound("the target was removed meanwhile") }
            if alert.attempts > 0 || ContinuousClock.now > end { return try .json(AlertDocument(alert)) }
            usleep(20_000)
        }
    }

    /// `GET …/alerts`
    static func log(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let alerts = try service.store.alerts(project: try request.requireProject().id, most: mostShown)
        return try .json(AlertListDocument(alerts: alerts.map { AlertDocument($0) }))
    }

    private static func find(_ service: Service, _ request: HTTPRequest) throws -> AlertTarget {
        let project = try request.requireProject()
        let id = request.parameters["id"].flatMap { Int64($0) }
        guard let target = try service.store.alertTargets(project: project.id).first(where: { $0.id == id }) else {
            throw APIError.notFound("the project has no such alert target; GET …/alert-targets lists them")
        }
        return target
    }
}
