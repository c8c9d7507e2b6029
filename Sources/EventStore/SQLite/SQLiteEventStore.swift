// SPDX-License-Identifier: Apache-2.0
import Synchronization
import VakaModel

/// The store in one SQLite file: one writing connection, several reading ones.
package final class SQLiteEventStore: EventStore {
    private let writer: SQLiteConnection
    private let writing = Monitor(())
    private let readers: ConnectionPool
    let sealing: (any PayloadSealing)?
    let gate = CommitGate()
    /// Of writing, when it was last tried.
    let lastFailure = Mutex<StoreError?>(nil)
    let claims = Mutex(Claims())

    /// What pipeline threads hold, and how full the spool is. A restart begins with nothing held.
    struct Claims {
        var sequences: Set<Int64> = []
        var eventRows: Set<Int64> = []
        var items = 0
        var bytes = 0
    }

    /// Opens or makes the database and brings it up to date. With `sealing`, what holds captured memory is sealed.
    package init(path: String, sealing: (any PayloadSealing)? = nil) throws(StoreError) {
        self.sealing = sealing
        writer = try SQLiteConnection(path: path, readOnly: false)
        try Migrations.run(on: writer)
        try IssueMover.prepare(writer)
        readers = ConnectionPool(path: path)
        let waiting = try writer.first("SELECT count(*), coalesce(sum(length(payload)), 0) FROM spool") { row in
            (row.int(0), row.int(1))
        }
        claims.withLock { claims in
            claims.items = waiting?.0 ?? 0
            claims.bytes = waiting?.1 ?? 0
        }
    }

    package func close() {
        // The writer last: the last connection to close tidies the journal away, and a reading one could not.
        readers.close()
        writing.withLock { _ in writer.close() }
    }

    func read<Result>(_ body: (SQLiteConnection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try readers.read(body)
    }

    @discardableResult
    func write<Result>(_ body: (SQLiteConnection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        do {
            let result = try writing.withLock { (_) throws(StoreError) in try writer.transaction(body) }
            lastFailure.withLock { $0 = nil }
            return result
        } catch {
            lastFailure.withLock { $0 = error }
            throw error
        }
    }
}
