// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
package import VakaModel

extension SQLEventStore {
    package func alertTargets(project: Int64) throws(StoreError) -> [AlertTarget] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                "SELECT \(Self.targetColumns) FROM alert_targets t WHERE t.project_id = ? ORDER BY t.id",
                [.integer(project)]
            ) { Self.target($0, from: 0) }
        }
    }

    package func addAlertTarget(_ target: AlertTarget) throws(StoreError) -> AlertTarget {
        try write { (connection) throws(StoreError) in
            var added = target
            added.id = try connection.insert(
                """
                INSERT INTO alert_targets (project_id, channel, address, kinds, secret, created_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                [
                    .integer(target.project), .text(target.channel.rawValue), .text(target.address),
                    .text(target.kinds.map(\.rawValue).sorted().joined(separator: ",")), .text(target.secret),
                    .time(target.createdAt),
                ])
            return added
        }
    }

    package func removeAlertTarget(_ id: Int64, project: Int64) throws(StoreError) -> Bool {
        try write { (connection) throws(StoreError) in
            try connection.run(
                "DELETE FROM alert_targets WHERE id = ? AND project_id = ?", [.integer(id), .integer(project)]) > 0
        }
    }

    package func addAlerts(_ subject: AlertSubject, only target: Int64?) throws(StoreError) -> Int {
        try write { (connection) throws(StoreError) in
            try AlertQueue(connection: connection).add(subject, only: target)
        }
    }

    package func claimAlerts(most: Int, now: Timestamp, lease: Timestamp) throws(StoreError) -> [Alert] {
        // Nothing is written where nothing is due.
        let due = try read { (connection) throws(StoreError) in
            try connection.first(
                "SELECT 1 FROM alerts WHERE state = 'waiting' AND next_at <= ? LIMIT 1", [.time(now)]
            ) { $0.int(0) }
        }
        guard due != nil else { return [] }
        return try write { (connection) throws(StoreError) in
            let alerts = try connection.query(
                Self.alertRows + " WHERE a.state = 'waiting' AND a.next_at <= ? ORDER BY a.next_at, a.id LIMIT ?"
                    + connection.dialect.takingRows(of: "a"),
                [.time(now), .integer(Int64(most))], Self.alert)
            for alert in alerts {
                try connection.run("UPDATE alerts SET next_at = ? WHERE id = ?", [.time(lease), .integer(alert.id)])
            }
            return alerts
        }
    }

    package func finishAttempt(
        _ alert: Int64, state: Alert.State, error: String?, next: Timestamp?, now: Timestamp
    ) throws(StoreError) {
        try write { (connection) throws(StoreError) in
            try connection.run(
                """
                UPDATE alerts SET state = ?, attempts = attempts + 1, last_error = ?, next_at = ?, finished_at = ?
                WHERE id = ? AND state = 'waiting'
                """,
                [
                    .text(state.rawValue), .optional(error), next.map { .time($0) } ?? .null,
                    next == nil ? .time(now) : .null, .integer(alert),
                ])
        }
    }

    package func alerts(project: Int64, most: Int) throws(StoreError) -> [Alert] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                Self.alertRows + " WHERE t.project_id = ? ORDER BY a.id DESC LIMIT ?",
                [.integer(project), .integer(Int64(most))], Self.alert)
        }
    }

    package func removeAlerts(before: Timestamp) throws(StoreError) -> Int {
        try write { (connection) throws(StoreError) in
            try connection.run("DELETE FROM alerts WHERE state <> 'waiting' AND finished_at < ?", [.time(before)])
        }
    }

    package func busyIssues(
        since: Timestamp, from: Timestamp, to: Timestamp, least: Int
    ) throws(StoreError) -> [BusyIssue] {
        let hours = max(1, Double(from.milliseconds - since.milliseconds) / Double(CountUnit.hour.milliseconds))
        return try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT i.project_id, i.id, i.title, sum(c.events), (
                    SELECT coalesce(sum(b.events), 0) FROM issue_counts b
                    WHERE b.issue_id = i.id AND b.unit = 'hour' AND b.start >= ?1 AND b.start < ?2)
                FROM issues i JOIN issue_counts c ON c.issue_id = i.id AND c.unit = 'hour' AND c.start >= ?2 AND c.start < ?3
                WHERE i.last_seen >= ?2 AND i.merged_into IS NULL AND i.status NOT IN ('muted', 'resolved')
                    AND i.project_id IN (SELECT project_id FROM alert_targets)
                GROUP BY i.id HAVING sum(c.events) >= ?4
                """, [.time(since), .time(from), .time(to), .integer(Int64(least))]
            ) { row in
                BusyIssue(
                    project: row.integer(0), issue: row.integer(1), title: row.text(2), events: row.int(3),
                    usual: Double(row.int(4)) / hours)
            }
        }
    }

    private static let targetColumns = "t.id, t.project_id, t.channel, t.address, t.kinds, t.secret, t.created_at"

    private static let alertRows = """
        SELECT \(targetColumns), p.slug, a.id, a.kind, a.issue_id, a.title, a.details, a.created_at, a.state, a.attempts,
            a.next_at, a.last_error
        FROM alerts a JOIN alert_targets t ON t.id = a.target_id JOIN projects p ON p.id = t.project_id
        """

    private static func target(_ row: SQLRow, from column: Int32) -> AlertTarget {
        AlertTarget(
            id: row.integer(column), project: row.integer(column + 1),
            channel: AlertTarget.Channel(rawValue: row.text(column + 2)) ?? .webhook, address: row.text(column + 3),
            kinds: AlertQueue.kinds(row.text(column + 4)), secret: row.text(column + 5),
            createdAt: row.time(column + 6))
    }

    private static func alert(_ row: SQLRow) -> Alert {
        let target = target(row, from: 0)
        let details = try? ModelCoding.decode([String: JSONValue].self, from: Data(row.text(12).utf8))
        return Alert(
            id: row.integer(8), target: target, project: Project(id: target.project, slug: row.text(7)),
            kind: AlertKind(rawValue: row.text(9)) ?? .test, issue: row.isNull(10) ? nil : row.integer(10),
            title: row.text(11), details: details ?? [:], createdAt: row.time(13),
            state: Alert.State(rawValue: row.text(14)) ?? .waiting, attempts: row.int(15), nextAt: row.time(16),
            lastError: row.optionalText(17))
    }
}
