// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Drops days that are over, inside a transaction that its caller holds.
struct DayRemover {
    let connection: SQLConnection
    /// At most so many rows are changed.
    let limit: Int64

    /// Something above 0 while there is more to do.
    func forgetAcceptedItems(before time: Timestamp) throws(StoreError) -> Int {
        guard let day = try PostgresDays.over(at: time, "accepted_items", connection) else { return 0 }
        return try drop(day)
    }

    /// Events say what became of their memory, and wait for nothing any more; then the day is dropped.
    func forgetReports(before time: Timestamp) throws(StoreError) -> Int {
        guard let day = try PostgresDays.over(at: time, "event_reports", connection) else { return 0 }
        let rows = try connection.query(
            """
            SELECT r.event_row FROM \(day) r JOIN events e ON e.id = r.event_row WHERE e.memory = 'kept'
                OR EXISTS (SELECT 1 FROM waiting_images w WHERE w.event_row = r.event_row)
                OR EXISTS (SELECT 1 FROM mend_queue m WHERE m.event_row = r.event_row) LIMIT ?
            """, [.integer(limit)]
        ) { $0.integer(0) }
        let remover = RecordRemover(connection: connection, limit: limit)
        for row in rows { try remover.endWaiting(row, leaving: .expired) }
        return rows.isEmpty ? try drop(day) : rows.count
    }

    private func drop(_ day: String) throws(StoreError) -> Int {
        let rows = try connection.first("SELECT count(*) FROM \(day)") { $0.int(0) } ?? 0
        try connection.execute("DROP TABLE \(day)")
        return max(1, rows)
    }
}
