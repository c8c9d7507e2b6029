// SPDX-License-Identifier: Apache-2.0

extension SQLiteEventStore {
    private static let issueColumns = """
        id, title, culprit, type, level, status, first_seen, last_seen, events, latest_event, basis
        """
    private static let eventColumns = """
        id, event_id, issue_id, type, level, timestamp, received_at, release, environment, title, memory
        """

    package func issues(
        project: Int64, status: String?, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<Issue> {
        let rows = try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT \(Self.issueColumns) FROM issues WHERE project_id = ?1 AND merged_into IS NULL
                AND (?2 IS NULL OR status = ?2) AND (last_seen, id) < (?3, ?4)
                ORDER BY last_seen DESC, id DESC LIMIT ?5
                """,
                [
                    .integer(project), .optional(status), .integer(after?.first ?? .max),
                    .integer(after?.second ?? .max),
                    .integer(Int64(limit) + 1),
                ], Self.issue)
        }
        return Page(rows, limit: limit) { Cursor($0.lastSeen.milliseconds, $0.id) }
    }

    package func issue(project: Int64, id: Int64) throws(StoreError) -> Issue? {
        try read { (connection) throws(StoreError) in
            try connection.first(
                """
                SELECT \(Self.issueColumns) FROM issues WHERE project_id = ?1
                AND id = (SELECT coalesce(merged_into, id) FROM issues WHERE id = ?2 AND project_id = ?1)
                """, [.integer(project), .integer(id)], Self.issue)
        }
    }

    package func events(
        project: Int64, issue: Int64, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<EventSummary> {
        let rows = try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT \(Self.eventColumns) FROM events WHERE issue_id = ? AND project_id = ? AND id < ?
                ORDER BY id DESC LIMIT ?
                """,
                [.integer(issue), .integer(project), .integer(after?.first ?? .max), .integer(Int64(limit) + 1)],
                Self.summary)
        }
        return Page(rows, limit: limit) { Cursor($0.row) }
    }

    package func event(project: Int64, id: String) throws(StoreError) -> StoredEvent? {
        try read { (connection) throws(StoreError) in
            try connection.first(
                "SELECT \(Self.eventColumns), document, grouping FROM events WHERE project_id = ? AND event_id = ?",
                [.integer(project), .text(id)]
            ) { StoredEvent(summary: Self.summary($0), document: $0.bytes(11), grouping: $0.bytes(12)) }
        }
    }

    package func releases(project: Int64, limit: Int) throws(StoreError) -> [Release] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT release, sum(events), sum(crashes), sum(sessions), sum(crashed), min(first), max(last) FROM (
                    SELECT release, count(*) AS events, sum(type = 'crash') AS crashes, 0 AS sessions, 0 AS crashed,
                        min(timestamp) AS first, max(timestamp) AS last
                    FROM events WHERE project_id = ?1 AND release IS NOT NULL GROUP BY release
                    UNION ALL
                    SELECT release, 0, 0, count(*), sum(status = 'crashed'), min(started), max(started)
                    FROM sessions WHERE project_id = ?1 AND release IS NOT NULL GROUP BY release)
                GROUP BY release ORDER BY max(last) DESC LIMIT ?2
                """, [.integer(project), .integer(Int64(limit))]
            ) { row in
                Release(
                    name: row.text(0), events: row.int(1), crashes: row.int(2), sessions: row.int(3),
                    crashedSessions: row.int(4), firstSeen: row.optionalTime(5), lastSeen: row.optionalTime(6))
            }
        }
    }

    private static func issue(_ row: SQLiteRow) -> Issue {
        Issue(
            id: row.integer(0), title: row.text(1), culprit: row.optionalText(2), type: row.text(3), level: row.text(4),
            status: row.text(5), firstSeen: row.time(6), lastSeen: row.time(7), events: row.int(8),
            latestEvent: row.optionalText(9), provisional: row.bool(10))
    }

    private static func summary(_ row: SQLiteRow) -> EventSummary {
        EventSummary(
            row: row.integer(0), eventID: row.text(1), issue: row.integer(2), type: row.text(3), level: row.text(4),
            timestamp: row.time(5), receivedAt: row.time(6), release: row.optionalText(7),
            environment: row.optionalText(8), title: row.text(9), memory: MemoryState(rawValue: row.text(10)) ?? .none)
    }
}
