// SPDX-License-Identifier: Apache-2.0

extension SQLEventStore {
    package func reprocess(_ events: EventSelection, project: Int64) throws(StoreError) -> Requeued {
        let (condition, value): (String, SQLValue) =
            switch events {
            case .event(let id): ("e.event_id = ?2", .text(id))
            case .issue(let issue): ("e.issue_id = ?2", .integer(issue))
            case .received(let time): ("e.received_at >= ?2", .time(time))
            }
        let values: [SQLValue] = [.integer(project), value]
        return try write(.images) { (connection) throws(StoreError) in
            let numbers = try connection.first(
                """
                SELECT count(*), count(r.event_row) FROM events e LEFT JOIN event_reports r ON r.event_row = e.id
                WHERE e.project_id = ?1 AND \(condition)
                """, values
            ) { Requeued(selected: $0.int(0), queued: $0.int(1)) }
            try connection.run(
                """
                INSERT INTO mend_queue (event_row) SELECT e.id FROM events e
                JOIN event_reports r ON r.event_row = e.id WHERE e.project_id = ?1 AND \(condition)
                ON CONFLICT DO NOTHING
                """, values)
            return numbers ?? Requeued(selected: 0, queued: 0)
        }
    }
}
