// SPDX-License-Identifier: Apache-2.0
package import VakaModel

extension SQLEventStore {
    package func complete(hangEnd: HangEnd, sequence: Int64, project: Int64) throws(StoreError) {
        let milliseconds = hangEnd.duration.map { Int(min(max(0, $0 * 1000), 1e15)) }
        try finish(sequence: sequence) { (connection) throws(StoreError) in
            try connection.run(
                """
                INSERT INTO hang_ends (project_id, event_id, outcome, duration_ms, timestamp, received_at)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (project_id, event_id) DO UPDATE SET
                    outcome = excluded.outcome, duration_ms = excluded.duration_ms, timestamp = excluded.timestamp
                WHERE hang_ends.outcome <> 'recovered'
                """,
                [
                    .integer(project), .text(hangEnd.eventID), .text(hangEnd.outcome.rawValue), .optional(milliseconds),
                    .time(hangEnd.timestamp), .time(connection.now),
                ])
        }
    }

    package func hangEnd(project: Int64, event: String) throws(StoreError) -> HangEnd? {
        try read { (connection) throws(StoreError) in
            try connection.first(
                "SELECT outcome, duration_ms, timestamp FROM hang_ends WHERE project_id = ? AND event_id = ?",
                [.integer(project), .text(event)]
            ) { row in
                HangEnd(
                    eventID: event, outcome: HangOutcome(rawValue: row.text(0)),
                    duration: row.isNull(1) ? nil : Double(row.int(1)) / 1000, timestamp: row.time(2))
            }
        }
    }
}
