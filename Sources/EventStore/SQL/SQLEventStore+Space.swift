// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

extension SQLEventStore {
    package func giveBackMemory() { database.giveBackMemory() }

    /// As much as a batch may need: a full disk often has room for a little.
    private static let probeBytes = 1 << 20

    package var writeFailure: StoreError? { lastFailure.withLock { $0 } }

    package func tryWriting() throws(StoreError) {
        for bytes in [Self.probeBytes, 0] {
            try write { (connection) throws(StoreError) in
                try connection.run(
                    """
                    INSERT INTO heartbeat (id, at, filling) VALUES (1, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET at = excluded.at, filling = excluded.filling
                    """, [.time(connection.now), .blob(Data(count: bytes))])
            }
        }
    }

    package var isInFolder: Bool { database.dialect == .sqlite }

    package func size() throws(StoreError) -> StoreSize { try database.size() }

    package func shrink(pages: Int) throws(StoreError) -> Bool { try database.shrink(pages: pages) }

    package func giveUpReports(limit: Int, bytes: UInt64) throws(StoreError) -> Int {
        try write(.allIssues) { (connection) throws(StoreError) in
            let rows = try Self.oldest("event_reports", "event_row", "payload", limit, bytes, connection)
            let remover = RecordRemover(connection: connection, limit: Int64(limit))
            for row in rows { try remover.removeReport(row, leaving: .givenUp) }
            return rows.count
        }
    }

    package func giveUpAttachments(limit: Int, bytes: UInt64) throws(StoreError) -> Int {
        try write { (connection) throws(StoreError) in
            let rows = try Self.oldest("attachments", "rowid", "data", limit, bytes, connection)
            for row in rows {
                try connection.run(
                    "UPDATE attachments SET data = NULL, sealed_size = NULL, missing = ? WHERE rowid = ?",
                    [.text("it was removed to stay within the server's disk budget"), .integer(row)])
            }
            return rows.count
        }
    }

    package func giveUpRecordings(limit: Int, bytes: UInt64) throws(StoreError) -> Int {
        try write { (connection) throws(StoreError) in
            let rows = try Self.oldest("recordings", "id", "document", limit, bytes, connection)
            for row in rows { try connection.run("DELETE FROM recordings WHERE id = ?", [.integer(row)]) }
            return rows.count
        }
    }

    /// Those that came first, until they bring `bytes`.
    private static func oldest(
        _ table: String, _ key: String, _ data: String, _ limit: Int, _ bytes: UInt64, _ connection: SQLConnection
    ) throws(StoreError) -> [Int64] {
        let rows = try connection.query(
            """
            SELECT \(key), length(\(data)) FROM \(table) WHERE \(data) IS NOT NULL ORDER BY received_at LIMIT ?
            """, [.integer(Int64(limit))]
        ) { (row: $0.integer(0), bytes: UInt64(clamping: $0.integer(1))) }
        var sum: UInt64 = 0
        var count = 0
        while count < rows.count, sum < bytes {
            sum += rows[count].bytes
            count += 1
        }
        return rows.prefix(count).map(\.row)
    }
}
