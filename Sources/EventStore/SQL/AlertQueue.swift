// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// Makes alerts inside a transaction that its caller holds: what is told of is stored with what happened, or neither is.
struct AlertQueue {
    /// Of a target; then one alert says that there are more.
    private static let mostAnHour: Int64 = 60

    let connection: SQLConnection

    func add(_ subject: AlertSubject, only target: Int64? = nil) throws(StoreError) -> Int {
        let targets = try connection.query(
            "SELECT id, kinds FROM alert_targets WHERE project_id = ? AND (CAST(?2 AS BIGINT) IS NULL OR id = ?2)",
            [.integer(subject.project), target.map { .integer($0) } ?? .null]
        ) { ($0.integer(0), $0.text(1)) }
        var made = 0
        for (id, kinds) in targets where target != nil || Self.kinds(kinds).contains(subject.kind) {
            let isTooMuch = subject.kind == .test ? false : try isFlooded(id, subject.at)
            made += try insert(isTooMuch ? Self.more(instead: subject) : subject, for: id)
        }
        return made
    }

    private func insert(_ subject: AlertSubject, for target: Int64) throws(StoreError) -> Int {
        try connection.run(
            """
            INSERT INTO alerts (target_id, once_key, kind, issue_id, title, details, created_at, state, attempts, next_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'waiting', 0, ?7) ON CONFLICT (target_id, once_key) DO NOTHING
            """,
            [
                .integer(target), .text(subject.onceKey), .text(subject.kind.rawValue),
                subject.issue.map { .integer($0) } ?? .null, .text(subject.title),
                .text(Self.text(subject.details)), .time(subject.at),
            ])
    }

    private func isFlooded(_ target: Int64, _ now: Timestamp) throws(StoreError) -> Bool {
        let hourAgo = Timestamp(milliseconds: now.milliseconds - CountUnit.hour.milliseconds)
        let found = try connection.first(
            "SELECT 1 FROM alerts WHERE target_id = ? AND created_at > ? LIMIT 1 OFFSET ?",
            [.integer(target), .time(hourAgo), .integer(Self.mostAnHour - 1)]
        ) { $0.int(0) }
        return found != nil
    }

    private static func more(instead subject: AlertSubject) -> AlertSubject {
        let hour = subject.at.milliseconds / CountUnit.hour.milliseconds
        return AlertSubject(
            kind: .more, project: subject.project, onceKey: "more:\(hour)",
            title: "more than \(mostAnHour) alerts within an hour: the others are not sent", at: subject.at)
    }

    /// Of an event that made a new issue, or brought a resolved one back.
    func add(_ kind: AlertKind, _ event: ProcessedEvent, issue: Int64) throws(StoreError) {
        var details: [String: JSONValue] = [
            "event_id": .string(event.eventID), "type": .string(event.type), "level": .string(event.level),
        ]
        details["release"] = event.release.map { .string($0) }
        details["environment"] = event.environment.map { .string($0) }
        details["culprit"] = event.culprit.map { .string($0) }
        let once = kind == .regression ? "\(kind.rawValue):\(issue):\(event.eventID)" : "\(kind.rawValue):\(issue)"
        _ = try add(
            AlertSubject(
                kind: kind, project: event.project, issue: issue, onceKey: once, title: event.title, details: details,
                at: event.receivedAt))
    }

    static func kinds(_ text: String) -> Set<AlertKind> {
        Set(text.split(separator: ",").compactMap { AlertKind(rawValue: String($0)) })
    }

    private static func text(_ details: [String: JSONValue]) -> String {
        (try? ModelCoding.encode(details)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
