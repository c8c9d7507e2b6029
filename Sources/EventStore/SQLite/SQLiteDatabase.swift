// SPDX-License-Identifier: Apache-2.0
import CSQLite
import VakaModel

/// One SQLite file: one writing connection, several reading ones.
final class SQLiteDatabase: SQLDatabase {
    private let writer: SQLConnection
    private let writing = Monitor(())
    private let readers: ConnectionPool

    let dialect = Dialect.sqlite
    var now: Timestamp { .now }

    /// Opens or makes the database and brings it up to date.
    init(path: String) throws(StoreError) {
        writer = try SQLConnection(path: path, readOnly: false)
        try Migrations.run(on: writer)
        try IssueMover.prepare(writer)
        readers = ConnectionPool(path: path)
    }

    func close() {
        // The writer last: the last connection to close tidies the journal away, and a reading one could not.
        readers.close()
        writing.withLock { _ in writer.close() }
    }

    func read<Result>(_ body: (SQLConnection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try readers.read(body)
    }

    func write<Result>(
        _ lock: WriteLock, repeatable: Bool, _ body: (SQLConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try writing.withLock { (_) throws(StoreError) in try writer.transaction(body) }
    }

    func size() throws(StoreError) -> StoreSize {
        try read { (connection) throws(StoreError) in
            func number(_ name: String) throws(StoreError) -> UInt64 {
                UInt64(clamping: try connection.first("PRAGMA \(name)") { $0.integer(0) } ?? 0)
            }
            let page = try number("page_size")
            return StoreSize(all: try number("page_count") * page, unused: try number("freelist_count") * page)
        }
    }

    func shrink(pages: Int) throws(StoreError) -> Bool {
        guard try size().unused > 0 else { return false }
        try write(.none, repeatable: true) { (connection) throws(StoreError) in
            // A row for each page.
            _ = try connection.query("PRAGMA incremental_vacuum(\(pages))") { _ in () }
        }
        return true
    }

    func giveBackMemory() { vaka_sqlite_give_back_memory() }
}
