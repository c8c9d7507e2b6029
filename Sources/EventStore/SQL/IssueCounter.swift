// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Keeps the counts of issues, inside a transaction that its caller holds.
struct IssueCounter {
    let connection: SQLConnection

    /// Counts an event for its issue, project and release.
    func add(_ event: ProcessedEvent, to issue: Int64) throws(StoreError) {
        let time = event.timestamp
        for unit in CountUnit.allCases {
            let start = SQLValue.integer(Self.start(of: time, unit))
            try connection.post(
                """
                INSERT INTO issue_counts (issue_id, unit, start, events) VALUES (?, ?, ?, 1)
                ON CONFLICT (issue_id, unit, start) DO UPDATE SET events = issue_counts.events + 1
                """, [.integer(issue), .text(unit.rawValue), start])
            try connection.post(
                """
                INSERT INTO project_counts (project_id, unit, start, type, events) VALUES (?, ?, ?, ?, 1)
                ON CONFLICT (project_id, unit, start, type) DO UPDATE SET events = project_counts.events + 1
                """, [.integer(event.project), .text(unit.rawValue), start, .text(event.type)])
        }
        try ReleaseTable(connection: connection, project: event.project).saw(
            event.release, at: time, events: 1, crashes: event.type == "crash" ? 1 : 0)
        try see(.release, event.release, time, of: issue)
        try see(.environment, event.environment, time, of: issue)
        if try add(.user, event.user, time, to: issue) {
            try connection.post("UPDATE issues SET users = users + 1 WHERE id = ?", [.integer(issue)])
        }
    }

    /// The beginning of the hour or day.
    static func start(of time: Timestamp, _ unit: CountUnit) -> Int64 {
        // Towards zero, as SQLite divides.
        time.milliseconds / unit.milliseconds * unit.milliseconds
    }

    private func see(_ kind: IssueValue.Kind, _ value: String?, _ time: Timestamp, of issue: Int64) throws(StoreError) {
        guard let value else { return }
        try connection.post(
            """
            INSERT INTO issue_values (issue_id, kind, value, events, first_seen, last_seen) VALUES (?1, ?2, ?3, 1, ?4, ?4)
            ON CONFLICT (issue_id, kind, value) DO UPDATE SET events = issue_values.events + 1,
                first_seen = least(issue_values.first_seen, excluded.first_seen),
                last_seen = greatest(issue_values.last_seen, excluded.last_seen)
            """, [.integer(issue), .text(kind.rawValue), .text(value), .time(time)])
    }

    /// True when the issue had not touched the value before.
    private func add(
        _ kind: IssueValue.Kind, _ value: String?, _ time: Timestamp, to issue: Int64
    ) throws(StoreError) -> Bool {
        guard let value else { return false }
        let known = try connection.run(
            """
            UPDATE issue_values SET events = events + 1, first_seen = least(first_seen, ?1),
                last_seen = greatest(last_seen, ?1) WHERE issue_id = ?2 AND kind = ?3 AND value = ?4
            """, [.time(time), .integer(issue), .text(kind.rawValue), .text(value)])
        guard known == 0 else { return false }
        try connection.run(
            """
            INSERT INTO issue_values (issue_id, kind, value, events, first_seen, last_seen) VALUES (?1, ?2, ?3, 1, ?4, ?4)
            """, [.integer(issue), .text(kind.rawValue), .text(value), .time(time)])
        return true
    }

    /// Adds all that `source` counted to `target`, and takes it from `source`.
    func moveAll(from source: Int64, to target: Int64) throws(StoreError) {
        let both: [SQLValue] = [.integer(source), .integer(target)]
        try connection.run(
            """
            INSERT INTO issue_counts (issue_id, unit, start, events)
            SELECT ?2, unit, start, events FROM issue_counts WHERE issue_id = ?1
            ON CONFLICT (issue_id, unit, start) DO UPDATE SET events = issue_counts.events + excluded.events
            """, both)
        try connection.run(
            """
            INSERT INTO issue_values (issue_id, kind, value, events, first_seen, last_seen)
            SELECT ?2, kind, value, events, first_seen, last_seen FROM issue_values WHERE issue_id = ?1
            ON CONFLICT (issue_id, kind, value) DO UPDATE SET events = issue_values.events + excluded.events,
                first_seen = least(issue_values.first_seen, excluded.first_seen),
                last_seen = greatest(issue_values.last_seen, excluded.last_seen)
            """, both)
        for table in ["issue_counts", "issue_values"] {
            try connection.run("DELETE FROM \(table) WHERE issue_id = ?", [.integer(source)])
        }
        try connection.run(
            """
            UPDATE issues SET events = issues.events + s.events, stored = issues.stored + s.stored,
                throttled = issues.throttled + s.throttled, first_seen = least(issues.first_seen, s.first_seen),
                last_seen = greatest(issues.last_seen, s.last_seen)
            FROM (SELECT * FROM issues WHERE id = ?1 AND events > 0) s WHERE issues.id = ?2
            """, both)
        try connection.run(
            "UPDATE issues SET events = 0, stored = 0, throttled = 0 WHERE id = ?", [.integer(source)])
        try renew(source)
        try renew(target)
    }

    /// The same for the events whose rows are in the table `moving`.
    func moveChosen(from source: Int64, to target: Int64) throws(StoreError) {
        try apply(1, to: target)
        try apply(-1, to: source)
        for table in ["issue_counts", "issue_values"] {
            try connection.run("DELETE FROM \(table) WHERE issue_id = ? AND events <= 0", [.integer(source)])
        }
        try renew(source)
        try renew(target)
    }

    private func apply(_ sign: Int64, to issue: Int64) throws(StoreError) {
        let values: [SQLValue] = [.integer(issue), .integer(sign)]
        for unit in CountUnit.allCases {
            let start = "e.timestamp / \(unit.milliseconds) * \(unit.milliseconds)"
            try connection.run(
                """
                INSERT INTO issue_counts (issue_id, unit, start, events)
                SELECT ?1, '\(unit.rawValue)', \(start), ?2 * count(*) FROM moving m JOIN events e ON e.id = m.id
                WHERE true GROUP BY 3 ON CONFLICT (issue_id, unit, start) DO UPDATE SET events = issue_counts.events + excluded.events
                """, values)
        }
        for kind in IssueValue.Kind.allCases {
            try connection.run(
                """
                INSERT INTO issue_values (issue_id, kind, value, events, first_seen, last_seen)
                SELECT ?1, '\(kind.rawValue)', e.\(kind.rawValue), ?2 * count(*), min(e.timestamp), max(e.timestamp)
                FROM moving m JOIN events e ON e.id = m.id WHERE e.\(kind.rawValue) IS NOT NULL GROUP BY 3
                ON CONFLICT (issue_id, kind, value) DO UPDATE SET events = issue_values.events + excluded.events,
                    first_seen = least(issue_values.first_seen, excluded.first_seen),
                last_seen = greatest(issue_values.last_seen, excluded.last_seen)
                """, values)
        }
        try connection.run(
            """
            UPDATE issues SET events = greatest(0, events + ?2 * m.moved), stored = greatest(0, stored + ?2 * m.moved)
            FROM (SELECT count(*) AS moved FROM moving) m WHERE id = ?1
            """, values)
    }

    /// What follows from the other tables. Of events that are not stored it is not known when they were: the times then
    /// only grow.
    private func renew(_ issue: Int64) throws(StoreError) {
        try connection.run(
            """
            UPDATE issues SET
                users = (SELECT count(*) FROM issue_values WHERE issue_id = issues.id AND kind = 'user'),
                first_seen = coalesce(CASE WHEN stored = events THEN s.first ELSE least(s.first, first_seen) END,
                    first_seen),
                last_seen = coalesce(CASE WHEN stored = events THEN s.last ELSE greatest(s.last, last_seen) END,
                    last_seen),
                latest_event = (SELECT event_id FROM events WHERE issue_id = issues.id ORDER BY id DESC LIMIT 1)
            FROM (SELECT min(timestamp) AS first, max(timestamp) AS last FROM events WHERE issue_id = ?1) s WHERE id = ?1
            """, [.integer(issue)])
    }
}
