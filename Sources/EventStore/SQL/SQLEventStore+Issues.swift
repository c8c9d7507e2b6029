// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials

extension SQLEventStore {
    static let issueColumns = """
        id, title, culprit, type, level, status, first_seen, last_seen, events, latest_event, basis, assignee, users,
        (SELECT count(*) FROM issue_values v WHERE v.issue_id = i.id AND v.kind = 'release'),
        changed_at, changed_by, resolved_in, resolved_after, muted_until, mute_events, mute_window, stored,
        throttled
        """
    static let eventColumns = """
        id, event_id, issue_id, type, level, timestamp, received_at, release, environment, title, memory
        """

    package func issue(project: Int64, id: Int64) throws(StoreError) -> Issue? {
        try read { (connection) throws(StoreError) in
            try connection.first(
                """
                SELECT \(Self.issueColumns) FROM issues i WHERE i.project_id = ?1
                AND i.id = (SELECT coalesce(merged_into, id) FROM issues WHERE id = ?2 AND project_id = ?1)
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

    package func neighbours(of event: EventSummary, project: Int64) throws(StoreError) -> EventNeighbours {
        try read { (connection) throws(StoreError) in
            func beside(_ condition: StaticString) throws(StoreError) -> String? {
                try connection.first(
                    "SELECT event_id FROM events WHERE issue_id = ? AND project_id = ? AND \(condition) LIMIT 1",
                    [.integer(event.issue), .integer(project), .integer(event.row)]
                ) { $0.text(0) }
            }
            return EventNeighbours(
                older: try beside("id < ? ORDER BY id DESC"), newer: try beside("id > ? ORDER BY id"))
        }
    }

    package func event(project: Int64, id: String) throws(StoreError) -> StoredEvent? {
        try read { (connection) throws(StoreError) in
            try connection.first(
                "SELECT \(Self.eventColumns), document, grouping FROM events WHERE project_id = ? AND event_id = ?",
                [.integer(project), .text(id)]
            ) { StoredEvent(summary: Self.summary($0), document: $0.bytes(11), grouping: $0.bytes(12)) }
        }
    }

    package func groupings(project: Int64, issue: Int64, limit: Int) throws(StoreError) -> [EventGrouping] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT \(Self.eventColumns), grouping FROM events WHERE issue_id = ? AND project_id = ?
                ORDER BY id DESC LIMIT ?
                """, [.integer(issue), .integer(project), .integer(Int64(limit))]
            ) { EventGrouping(summary: Self.summary($0), record: $0.bytes(11)) }
        }
    }

    package func report(project: Int64, event id: String) throws(StoreError) -> Data? {
        let kept = try read { (connection) throws(StoreError) in
            try connection.first(
                """
                SELECT r.payload FROM events e JOIN event_reports r ON r.event_row = e.id
                WHERE e.project_id = ? AND e.event_id = ?
                """, [.integer(project), .text(id)]
            ) { $0.data(0) }
        }
        return kept.map(opened)
    }

    package func releases(project: Int64, limit: Int) throws(StoreError) -> [Release] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT r.name, r.events, r.crashes, count(s.id), count(CASE WHEN s.status = 'crashed' THEN 1 END),
                    r.first_seen, r.last_seen
                FROM (SELECT * FROM releases WHERE project_id = ?1 ORDER BY last_seen DESC, id DESC LIMIT ?2) r
                LEFT JOIN sessions s ON s.project_id = ?1 AND s.release = r.name
                GROUP BY r.id, r.name, r.events, r.crashes, r.first_seen, r.last_seen
                ORDER BY r.last_seen DESC, r.id DESC
                """, [.integer(project), .integer(Int64(limit))]
            ) { row in
                Release(
                    name: row.text(0), events: row.int(1), crashes: row.int(2), sessions: row.int(3),
                    crashedSessions: row.int(4), firstSeen: row.optionalTime(5), lastSeen: row.optionalTime(6))
            }
        }
    }

    static func issue(_ row: SQLRow) -> Issue {
        let after = row.bool(17)
        let terms = IssueTerms(
            changedAt: row.optionalTime(14), changedBy: row.optionalText(15),
            resolvedIn: after ? nil : row.optionalText(16), resolvedAfter: after ? row.optionalText(16) : nil,
            mutedUntil: row.optionalTime(18), muteEvents: row.optionalInt(19),
            muteWindow: row.isNull(20) ? nil : row.integer(20))
        return Issue(
            id: row.integer(0), title: row.text(1), culprit: row.optionalText(2), type: row.text(3), level: row.text(4),
            status: IssueStatus(rawValue: row.text(5)) ?? .open, terms: terms, assignee: row.optionalText(11),
            firstSeen: row.time(6), lastSeen: row.time(7), events: row.int(8), stored: row.int(21),
            countedOnly: row.int(22),
            users: row.int(12), releases: row.int(13), latestEvent: row.optionalText(9), provisional: row.bool(10))
    }

    static func summary(_ row: SQLRow) -> EventSummary {
        EventSummary(
            row: row.integer(0), eventID: row.text(1), issue: row.integer(2), type: row.text(3), level: row.text(4),
            timestamp: row.time(5), receivedAt: row.time(6), release: row.optionalText(7),
            environment: row.optionalText(8), title: row.text(9),
            memory: MemoryState(rawValue: row.text(10)) ?? .none)
    }
}
