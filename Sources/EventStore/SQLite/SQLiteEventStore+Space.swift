// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension SQLiteEventStore {
    package func size() throws(StoreError) -> StoreSize {
        try read { (connection) throws(StoreError) in
            func number(_ name: String) throws(StoreError) -> UInt64 {
                UInt64(clamping: try connection.first("PRAGMA \(name)") { $0.integer(0) } ?? 0)
            }
            let page = try number("page_size")
            return StoreSize(all: try number("page_count") * page, unused: try number("freelist_count") * page)
        }
    }

    package func shrink(pages: Int) throws(StoreError) -> Bool {
        guard try size().unused > 0 else { return false }
        try write { (connection) throws(StoreError) in
            // A row for each page.
            _ = try connection.query("PRAGMA incremental_vacuum(\(pages))") { _ in () }
        }
        return true
    }

    package func giveUpReports(limit: Int) throws(StoreError) -> Int {
        try write { (connection) throws(StoreError) in
            try RecordRemover(connection: connection, limit: Int64(limit)).giveUpReports()
        }
    }

    package func giveUpAttachments(limit: Int) throws(StoreError) -> Int {
        try write { (connection) throws(StoreError) in
            try connection.run(
                """
                UPDATE attachments SET data = NULL, missing = ? WHERE rowid IN
                    (SELECT rowid FROM attachments WHERE data IS NOT NULL ORDER BY received_at LIMIT ?)
                """, [.text("it was removed to stay within the server's disk budget"), .integer(Int64(limit))])
        }
    }
}
