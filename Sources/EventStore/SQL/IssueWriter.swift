// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Finds, makes, regroups and folds issues inside a transaction that its caller holds.
struct IssueWriter {
    let connection: SQLConnection
    let event: ProcessedEvent

    /// For so long after the first event of a grouping version, keys are looked up under the one before.
    private static let olderVersionTime: Int64 = 30 * 86_400_000

    /// The issue of the first key that is known.
    func find(_ keys: some Sequence<IssueKey>) throws(StoreError) -> Int64? {
        try find(keys, version: event.groupingVersion)
    }

    /// The issue that the version before would have found by a key that both make alike.
    func findAsBefore() throws(StoreError) -> Int64? {
        let (project, version) = (SQLValue.integer(event.project), SQLValue.integer(Int64(event.groupingVersion)))
        let received = event.receivedAt
        try connection.post(
            "INSERT INTO grouping_versions (project_id, version, since) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [project, version, .time(received)])
        guard !event.keysAsBefore.isEmpty else { return nil }
        let since = try connection.first(
            "SELECT since FROM grouping_versions WHERE project_id = ? AND version = ?", [project, version]
        ) { $0.integer(0) }
        guard received.milliseconds - (since ?? 0) <= Self.olderVersionTime else { return nil }
        return try find(event.keysAsBefore, version: event.groupingVersion - 1)
    }

    /// Notes by which key the event is known, so that it goes where that key goes.
    func keepKey(of row: Int64) throws(StoreError) {
        guard let key = event.keys.first else { return }
        try connection.post(
            """
            INSERT INTO event_keys (event_row, version, kind, value) VALUES (?, ?, ?, ?) ON CONFLICT (event_row)
                DO UPDATE SET version = excluded.version, kind = excluded.kind, value = excluded.value
            """,
            [.integer(row), .integer(Int64(event.groupingVersion)), .text(key.kind), .text(key.value)])
    }

    private func find(_ keys: some Sequence<IssueKey>, version: Int) throws(StoreError) -> Int64? {
        for key in keys {
            let issue = try connection.first(
                "SELECT issue_id FROM issue_aliases WHERE project_id = ? AND version = ? AND kind = ? AND value = ?",
                [.integer(event.project), .integer(Int64(version)), .text(key.kind), .text(key.value)]
            ) { $0.integer(0) }
            if let issue { return issue }
        }
        return nil
    }

    func create() throws(StoreError) -> Int64 {
        try connection.insert(
            """
            INSERT INTO issues (project_id, title, culprit, type, level, status, first_seen, last_seen, events, basis)
            VALUES (?, ?, ?, ?, ?, 'open', ?, ?, 0, ?)
            """,
            [
                .integer(event.project), .text(event.title), .optional(event.culprit), .text(event.type),
                .text(event.level), .time(event.timestamp), .time(event.timestamp),
                .integer(Int64(event.basis.rawValue)),
            ])
    }

    /// Keys that another issue has stay there.
    func attachKeys(to issue: Int64) throws(StoreError) {
        for key in event.keys {
            try connection.post(
                """
                INSERT INTO issue_aliases (project_id, version, kind, value, issue_id) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """,
                [
                    .integer(event.project), .integer(Int64(event.groupingVersion)), .text(key.kind), .text(key.value),
                    .integer(issue),
                ])
        }
    }

    /// Adds the event to the issue's count and times.
    func count(_ issue: Int64) throws(StoreError) {
        try connection.post(
            """
            UPDATE issues SET events = events + 1, stored = stored + 1, first_seen = least(first_seen, ?),
                last_seen = greatest(last_seen, ?), latest_event = ? WHERE id = ?
            """, [.time(event.timestamp), .time(event.timestamp), .text(event.eventID), .integer(issue)])
        try IssueCounter(connection: connection).add(event, to: issue)
        try makeSearchable(issue)
        try describe(issue)
    }

    /// Counts an event whose document is not stored.
    func countThrottled(_ issue: Int64) throws(StoreError) {
        try connection.post(
            """
            UPDATE issues SET events = events + 1, throttled = throttled + 1, first_seen = least(first_seen, ?),
                last_seen = greatest(last_seen, ?) WHERE id = ?
            """, [.time(event.timestamp), .time(event.timestamp), .integer(issue)])
        try IssueCounter(connection: connection).add(event, to: issue)
    }

    /// The newest readable event gives the issue its title; one without symbols does not spoil it.
    private func describe(_ issue: Int64) throws(StoreError) {
        let basis = SQLValue.integer(Int64(event.basis.rawValue))
        try connection.post(
            "UPDATE issues SET title = ?, culprit = ?, basis = ? WHERE id = ? AND basis >= ?",
            [.text(event.title), .optional(event.culprit), basis, .integer(issue), basis])
    }

    private func makeSearchable(_ issue: Int64) throws(StoreError) {
        let titles = [event.title, event.culprit].compactMap { $0.map { SearchText(.title, $0) } }
        try SearchWriter(connection: connection).add(titles + event.searchTexts, to: issue)
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
        try makeSearchable(target)
        guard target != current else {
            try describe(current)
            return .knownIssue(current)
        }
        let mover = IssueMover(connection: connection, source: current, target: target)
        if together { try mover.moveAll() } else { try mover.move(row) }
        try describe(target)
        if try mover.sourceHasEvents() {
            return known == nil ? .split(from: current, into: target) : .knownIssue(target)
        }
        try mover.fold()
        return .folded(from: current, into: target)
    }
}
