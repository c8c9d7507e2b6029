// SPDX-License-Identifier: Apache-2.0

extension SQLEventStore {
    package func retention(project: Int64) throws(StoreError) -> Retention {
        try read { (connection) throws(StoreError) in
            try connection.first(
                "SELECT days, issue_events, events FROM project_retention WHERE project_id = ?", [.integer(project)]
            ) { row in
                Retention(days: row.optionalInt(0), issueEvents: row.optionalInt(1), events: row.optionalInt(2))
            } ?? Retention()
        }
    }

    package func setRetention(_ retention: Retention, project: Int64) throws(StoreError) {
        try write { (connection) throws(StoreError) in
            try connection.run(
                """
                INSERT INTO project_retention (project_id, days, issue_events, events) VALUES (?, ?, ?, ?)
                ON CONFLICT (project_id) DO UPDATE SET days = excluded.days, issue_events = excluded.issue_events,
                    events = excluded.events
                """,
                [
                    .integer(project), .optional(retention.days), .optional(retention.issueEvents),
                    .optional(retention.events),
                ])
        }
    }

    package func alone(_ duty: Duty, _ body: () throws -> Void) throws -> Bool {
        guard try work.take(duty) else { return false }
        defer { work.release(duty) }
        try body()
        return true
    }

    package func keptEvents(project: Int64) throws(StoreError) -> KeptEvents {
        try read { (connection) throws(StoreError) in
            try connection.first(
                "SELECT coalesce(sum(stored), 0), coalesce(sum(events), 0) FROM issues WHERE project_id = ?",
                [.integer(project)]
            ) { KeptEvents(stored: $0.int(0), all: $0.int(1)) } ?? KeptEvents(stored: 0, all: 0)
        }
    }

    package func crowdedIssues(project: Int64, most: Int) throws(StoreError) -> [CrowdedIssue] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                "SELECT id, stored FROM issues WHERE project_id = ? AND stored > ? ORDER BY stored DESC",
                [.integer(project), .integer(Int64(most))]
            ) { CrowdedIssue(issue: $0.integer(0), stored: $0.int(1)) }
        }
    }

    package func removableEvents(
        _ choice: EventChoice, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<RemovableEvent> {
        let start = after ?? Cursor(.min, .min)
        let place: [SQLValue] = [.integer(start.first), .integer(start.second)]
        let inOrder = database.dialect.by("events_by_time")
        let inTime = "(e.received_at, e.id) > (?, ?)"
        let (source, values, order): (String, [SQLValue], String) =
            switch choice {
            case .received(let time, let project):
                (
                    "\(inOrder) WHERE e.project_id = ? AND e.received_at < ? AND \(inTime)",
                    [.integer(project), .time(time)] + place, "e.received_at, e.id"
                )
            case .all(let project):
                (
                    "\(inOrder) WHERE e.project_id = ? AND \(inTime)", [.integer(project)] + place,
                    "e.received_at, e.id"
                )
            case .everywhere: ("\(inOrder) WHERE \(inTime)", place, "e.received_at, e.id")
            case .ofIssue(let issue):
                ("WHERE e.issue_id = ? AND e.id > ?", [.integer(issue), .integer(start.second)], "e.id")
            }
        let rows = try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT e.id, e.received_at FROM events e \(source) AND \(EventRemover.isBetween)
                ORDER BY \(order) LIMIT ?
                """, values + [.integer(Int64(limit) + 1)]
            ) { RemovableEvent(row: $0.integer(0), receivedAt: $0.time(1)) }
        }
        return Page(rows, limit: limit) { Cursor($0.receivedAt.milliseconds, $0.row) }
    }

    package func removeEvents(rows: [Int64]) throws(StoreError) -> Int {
        try write(.allIssues) { (connection) throws(StoreError) in
            let remover = EventRemover(connection: connection)
            var removed = 0
            for row in rows where try remover.remove(row) { removed += 1 }
            return removed
        }
    }

    package func forget(_ records: PassingRecords, limit: Int) throws(StoreError) -> Int {
        if case .looseParts(let time) = records {
            let parts = try read { (connection) throws(StoreError) in
                try LooseParts(connection: connection).find(before: time, limit: limit)
            }
            guard !parts.isEmpty else { return 0 }
            return try write { (connection) throws(StoreError) in
                try LooseParts(connection: connection).remove(parts)
            }
        }
        return try write(.allIssues) { (connection) throws(StoreError) in
            try RecordRemover(connection: connection, limit: Int64(limit)).forget(records)
        }
    }
}
