// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Finds, makes, regroups and folds issues inside a transaction that its caller holds.
struct IssueWriter {
    let connection: SQLiteConnection
    let event: ProcessedEvent

    /// The issue of the first key that is known.
    func find(_ keys: some Sequence<IssueKey>) throws(StoreError) -> Int64? {
        for key in keys {
            let issue = try connection.first(
                "SELECT issue_id FROM issue_aliases WHERE project_id = ? AND version = ? AND kind = ? AND value = ?",
                [.integer(event.project), .integer(Int64(event.groupingVersion)), .text(key.kind), .text(key.value)]
            ) { $0.integer(0) }
            if let issue { return issue }
        }
        return nil
    }

    func create() throws(StoreError) -> Int64 {
        try connection.run(
            """
            INSERT INTO issues (project_id, title, culprit, type, level, status, first_seen, last_seen, events, basis)
            VALUES (?, ?, ?, ?, ?, 'open', ?, ?, 0, ?)
            """,
            [
                .integer(event.project), .text(event.title), .optional(event.culprit), .text(event.type),
                .text(event.level), .time(event.timestamp), .time(event.timestamp),
                .integer(Int64(event.basis.rawValue)),
            ])
        return connection.lastInsertedRow
    }

    /// Keys that another issue has stay there.
    func attachKeys(to issue: Int64) throws(StoreError) {
        for key in event.keys {
            try connection.run(
                "INSERT OR IGNORE INTO issue_aliases (project_id, version, kind, value, issue_id) VALUES (?, ?, ?, ?, ?)",
                [
                    .integer(event.project), .integer(Int64(event.groupingVersion)), .text(key.kind), .text(key.value),
                    .integer(issue),
                ])
        }
    }

    /// Adds the event to the issue's count and times.
    func count(_ issue: Int64) throws(StoreError) {
        try connection.run(
            """
            UPDATE issues SET events = events + 1, first_seen = min(first_seen, ?), last_seen = max(last_seen, ?),
                latest_event = ? WHERE id = ?
            """, [.time(event.timestamp), .time(event.timestamp), .text(event.eventID), .integer(issue)])
        try describe(issue)
    }

    /// Counts an event whose document is not stored.
    func countThrottled(_ issue: Int64) throws(StoreError) {
        try connection.run(
            """
            UPDATE issues SET events = events + 1, throttled = throttled + 1, first_seen = min(first_seen, ?),
                last_seen = max(last_seen, ?) WHERE id = ?
            """, [.time(event.timestamp), .time(event.timestamp), .integer(issue)])
    }

    /// The newest readable event gives the issue its title; one without symbols does not spoil it.
    private func describe(_ issue: Int64) throws(StoreError) {
        let basis = SQLiteValue.integer(Int64(event.basis.rawValue))
        try connection.run(
            "UPDATE issues SET title = ?, culprit = ?, basis = ? WHERE id = ? AND basis >= ?",
            [.text(event.title), .optional(event.culprit), basis, .integer(issue), basis])
    }

    /// After symbols came: the event's issue takes the new keys, or the event goes to the issue that has the primary one.
    func regroup(row: Int64, from current: Int64) throws(StoreError) -> StoreOutcome {
        let state = try connection.first(
            "SELECT basis, events FROM issues WHERE id = ?", [.integer(current)]
        ) { (basis: KeyBasis(rawValue: $0.int(0)) ?? .names, events: $0.int(1)) }
        let known = try find(event.keys.prefix(1))
        // Without a key of addresses of its own, its names show that the addresses were those of a runtime.
        let together = state?.basis == .addresses && event.keys.contains { $0.kind == "A" }
        let isMixed = state?.basis != .names && !together && (state?.events ?? 0) > 1
        let target: Int64
        if let known {
            target = known
        } else {
            // A lone event keeps its issue; one among the remnants of several problems gets its own.
            target = isMixed ? try create() : current
        }
        try attachKeys(to: target)
        guard target != current else {
            try describe(current)
            return .knownIssue(current)
        }
        try connection.run(
            "UPDATE events SET issue_id = ? WHERE \(together ? "issue_id" : "id") = ?",
            [.integer(target), .integer(together ? current : row)])
        try recount(target)
        try describe(target)
        if try recount(current) > 0 { return known == nil ? .split(from: current, into: target) : .knownIssue(target) }
        try redirect(current, to: target)
        return .folded(from: current, into: target)
    }

    /// The number of events the issue has now.
    @discardableResult
    private func recount(_ issue: Int64) throws(StoreError) -> Int {
        let id = SQLiteValue.integer(issue)
        try connection.run(
            """
            UPDATE issues SET events = (SELECT count(*) FROM events WHERE issue_id = issues.id),
                first_seen = coalesce((SELECT min(timestamp) FROM events WHERE issue_id = issues.id), first_seen),
                last_seen = coalesce((SELECT max(timestamp) FROM events WHERE issue_id = issues.id), last_seen),
                latest_event = (SELECT event_id FROM events WHERE issue_id = issues.id ORDER BY id DESC LIMIT 1)
            WHERE id = ?
            """, [id])
        return try connection.first("SELECT events FROM issues WHERE id = ?", [id]) { $0.int(0) } ?? 0
    }

    private func redirect(_ issue: Int64, to target: Int64) throws(StoreError) {
        let both: [SQLiteValue] = [.integer(target), .integer(issue)]
        try connection.run("UPDATE issue_aliases SET issue_id = ? WHERE issue_id = ?", both)
        // Redirects stay one step long.
        try connection.run("UPDATE issues SET merged_into = ? WHERE merged_into = ?", both)
        try connection.run("UPDATE issues SET merged_into = ? WHERE id = ?", both)
    }
}
