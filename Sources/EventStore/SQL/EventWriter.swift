// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Writes one event inside a transaction that its caller holds.
struct EventWriter {
    let connection: SQLConnection
    let event: ProcessedEvent

    /// Stores a new event.
    func add() throws(StoreError) -> StoreOutcome {
        let known = try connection.first(
            "SELECT id FROM events WHERE project_id = ? AND event_id = ?",
            [.integer(event.project), .text(event.eventID)]
        ) { $0.integer(0) }
        guard known == nil else { return .duplicate }
        let issues = IssueWriter(connection: connection, event: event)
        if event.isCountedOnly {
            guard let issue = try issues.find(event.keys) else { return .unknownKeys }
            return try countOnly(issue)
        }
        var existing = try issues.find(event.keys)
        if existing == nil { existing = try issues.findAsBefore() }
        let issue: Int64
        if let existing {
            issue = existing
        } else {
            issue = try issues.create()
        }
        try issues.attachKeys(to: issue)
        if existing != nil, try isThrottled(issue) { return try countOnly(issue) }
        let row = try insert(issue: issue)
        try issues.keepKey(of: row)
        try keepReport(row)
        try waitForSources(row)
        try ImageUses(connection: connection).note(row, project: event.project, event.images)
        try issues.count(issue)
        if existing == nil { try AlertQueue(connection: connection).add(.newIssue, event, issue: issue) }
        if existing != nil { try IssueStateWriter(connection: connection, issue: issue).sees(event) }
        return existing == nil ? .newIssue(issue) : .knownIssue(issue)
    }

    private func countOnly(_ issue: Int64) throws(StoreError) -> StoreOutcome {
        try IssueWriter(connection: connection, event: event).countThrottled(issue)
        try IssueStateWriter(connection: connection, issue: issue).sees(event)
        return .throttled(issue)
    }

    func isBeyondRate() throws(StoreError) -> Bool {
        guard let issue = try IssueWriter(connection: connection, event: event).find(event.keys) else { return false }
        return try isThrottled(issue)
    }

    /// Replaces what is stored of an event, and moves it to the issue that its new key names.
    func mend(_ row: Int64) throws(StoreError) -> StoreOutcome {
        let current = try connection.first("SELECT issue_id FROM events WHERE id = ?", [.integer(row)]) {
            $0.integer(0)
        }
        guard let current else { return .duplicate }
        try connection.post("DELETE FROM mend_queue WHERE event_row = ?", [.integer(row)])
        try connection.post("DELETE FROM waiting_images WHERE event_row = ?", [.integer(row)])
        try connection.post("DELETE FROM event_reports WHERE event_row = ?", [.integer(row)])
        try connection.post(
            "UPDATE events SET title = ?, memory = ?, document = ?, grouping = ? WHERE id = ?",
            [
                .text(event.title), .text(event.memory.rawValue), .blob(event.document), .blob(event.grouping),
                .integer(row),
            ])
        try keepReport(row)
        try connection.post("DELETE FROM source_queue WHERE event_row = ?", [.integer(row)])
        try waitForSources(row)
        let uses = ImageUses(connection: connection)
        try uses.forget(row)
        try uses.note(row, project: event.project, event.images)
        let issues = IssueWriter(connection: connection, event: event)
        try issues.keepKey(of: row)
        return try issues.regroup(row: row, from: current)
    }

    /// The issue has as many events of the last minute as may be stored, and this is not the first crash of a build.
    private func isThrottled(_ issue: Int64) throws(StoreError) -> Bool {
        guard let limit = event.storedPerMinute else { return false }
        let reached = try connection.first(
            "SELECT received_at FROM events WHERE issue_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?",
            [.integer(issue), .integer(Int64(limit) - 1)]
        ) { $0.integer(0) }
        guard let reached, reached > event.receivedAt.milliseconds - 60_000 else { return false }
        let isFirst = try connection.first(
            "SELECT 1 FROM builds WHERE project_id = ? AND first_event = ?",
            [.integer(event.project), .text(event.eventID)]
        ) { _ in true }
        return isFirst == nil
    }

    private func waitForSources(_ row: Int64) throws(StoreError) {
        try WaitingSources(connection: connection).replace(
            row, by: event.waitingForSources, imageRevision: event.imageRevision)
    }

    private func insert(issue: Int64) throws(StoreError) -> Int64 {
        try connection.insert(
            """
            INSERT INTO events (project_id, event_id, issue_id, type, level, timestamp, received_at, release, environment,
                "user", title, memory, document, grouping) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(event.project), .text(event.eventID), .integer(issue), .text(event.type), .text(event.level),
                .time(event.timestamp), .time(event.receivedAt), .optional(event.release), .optional(event.environment),
                .optional(event.user), .text(event.title), .text(event.memory.rawValue), .blob(event.document),
                .blob(event.grouping),
            ])
    }

    private func keepReport(_ row: Int64) throws(StoreError) {
        guard let report = event.report else { return }
        try connection.post(
            "INSERT INTO event_reports (event_row, received_at, payload) VALUES (?, ?, ?)",
            [.integer(row), .time(event.receivedAt), .blob(report)])
        for buildID in Set(event.waitingFor) {
            try connection.post(
                "INSERT INTO waiting_images (build_id, event_row) VALUES (?, ?) ON CONFLICT DO NOTHING",
                [.text(buildID), .integer(row)])
        }
        // An image that came while the event was worked on may have been missed: look again.
        try connection.post(
            """
            INSERT INTO mend_queue (event_row) SELECT w.event_row FROM waiting_images w
            JOIN artifacts a ON a.build_id = w.build_id AND a.kind = 'native' WHERE w.event_row = ? AND a.id > ? LIMIT 1
            ON CONFLICT DO NOTHING
            """, [.integer(row), .integer(event.imageRevision)])
    }
}
