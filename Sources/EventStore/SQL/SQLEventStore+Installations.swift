// SPDX-License-Identifier: Apache-2.0
package import VakaModel

extension SQLEventStore {
    /// Ranges kept of an installation; of more the two lowest are taken as one, and what lay between as given up.
    private static let mostRanges: Int64 = 256

    private static let owner = "project_id = ? AND install_id = ?"
    private static let insertion = "INSERT INTO batch_ranges (project_id, install_id, first, last) VALUES (?, ?, ?, ?)"

    /// Takes down that a batch came.
    func note(
        _ origin: BatchOrigin, _ project: Int64, at time: Timestamp, _ connection: SQLConnection
    ) throws(StoreError) {
        let key: [SQLValue] = [.integer(project), .text(origin.installID)]
        let below = try connection.first(
            "SELECT first, last FROM batch_ranges WHERE \(Self.owner) AND first <= ? ORDER BY first DESC LIMIT 1",
            key + [.integer(origin.sequence)]
        ) { $0.integer(0)...$0.integer(1) }
        let isKnown = below?.contains(origin.sequence) ?? false
        let now = SQLValue.time(time)
        try connection.run(
            """
            INSERT INTO installations (project_id, install_id, first_seen, last_seen, batches, duplicates)
            VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (project_id, install_id) DO UPDATE SET
                last_seen = excluded.last_seen, batches = installations.batches + excluded.batches,
                duplicates = installations.duplicates + excluded.duplicates
            """, key + [now, now, .bool(!isKnown), .bool(isKnown)])
        guard !isKnown else { return }
        try add(origin.sequence, behind: below, key, connection)
    }

    /// One range grows, or two become one, or there is a new one.
    private func add(
        _ number: Int64, behind below: ClosedRange<Int64>?, _ key: [SQLValue], _ connection: SQLConnection
    ) throws(StoreError) {
        let above = try connection.first(
            "SELECT last FROM batch_ranges WHERE \(Self.owner) AND first = ?", key + [.integer(number + 1)]
        ) { $0.integer(0) }
        if above != nil {
            try connection.run(
                "DELETE FROM batch_ranges WHERE \(Self.owner) AND first = ?", key + [.integer(number + 1)])
        }
        let last = SQLValue.integer(above ?? number)
        if let below, below.upperBound == number - 1 {
            try connection.run(
                "UPDATE batch_ranges SET last = ? WHERE \(Self.owner) AND first = ?",
                [last] + key + [.integer(below.lowerBound)])
        } else {
            try connection.run(Self.insertion, key + [.integer(number), last])
            if above == nil { try bound(key, connection) }
        }
    }

    private func bound(_ key: [SQLValue], _ connection: SQLConnection) throws(StoreError) {
        let lowest = try connection.query(
            "SELECT first, last FROM batch_ranges WHERE \(Self.owner) ORDER BY first LIMIT ?",
            key + [.integer(Self.mostRanges + 1)]
        ) { ($0.integer(0), $0.integer(1)) }
        guard lowest.count > Int(Self.mostRanges) else { return }
        try connection.run(
            "DELETE FROM batch_ranges WHERE \(Self.owner) AND first <= ?", key + [.integer(lowest[1].0)])
        try connection.run(Self.insertion, key + [.integer(lowest[0].0), .integer(lowest[1].1)])
    }

    package func installations(
        project: Int64, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<Installation> {
        settleToRead()
        let rows = try read { (connection) throws(StoreError) in
            var rows = try connection.query(
                """
                SELECT rowid, install_id, first_seen, last_seen, batches, duplicates FROM installations
                WHERE project_id = ?1 AND (last_seen, rowid) < (?2, ?3) ORDER BY last_seen DESC, rowid DESC LIMIT ?4
                """,
                [
                    .integer(project), .integer(after?.first ?? .max), .integer(after?.second ?? .max),
                    .integer(Int64(limit + 1)),
                ]
            ) { row in
                (
                    row.integer(0),
                    Installation(
                        id: row.text(1), firstSeen: row.time(2), lastSeen: row.time(3), batches: row.integer(4),
                        duplicates: row.integer(5), received: [])
                )
            }
            for index in rows.indices {
                rows[index].1.received = try connection.query(
                    "SELECT first, last FROM batch_ranges WHERE project_id = ? AND install_id = ? ORDER BY first",
                    [.integer(project), .text(rows[index].1.id)]
                ) { $0.integer(0)...$0.integer(1) }
            }
            return rows
        }
        let page = Page(rows, limit: limit) { Cursor($0.1.lastSeen.milliseconds, $0.0) }
        return page.map(\.1)
    }

    package func settings(project: Int64) throws(StoreError) -> String? {
        try read { (connection) throws(StoreError) in
            try connection.first("SELECT document FROM sdk_settings WHERE project_id = ?", [.integer(project)]) {
                $0.text(0)
            }
        }
    }

    package func set(settings: String, project: Int64) throws(StoreError) {
        try write { (connection) throws(StoreError) in
            try connection.run(
                """
                INSERT INTO sdk_settings (project_id, document, changed_at) VALUES (?, ?, ?)
                ON CONFLICT (project_id) DO UPDATE SET document = excluded.document, changed_at = excluded.changed_at
                """, [.integer(project), .text(settings), .time(connection.now)])
        }
    }
}
