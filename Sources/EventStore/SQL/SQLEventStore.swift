// SPDX-License-Identifier: Apache-2.0
import Synchronization
package import VakaModel

/// The store in a database: one SQLite file, or PostgreSQL, which other processes may use as well.
package final class SQLEventStore: EventStore {
    let database: any SQLDatabase
    let work: any WorkLedger
    let sealing: (any PayloadSealing)?
    let gate = CommitGate()
    /// Where the database is one file: what is accepted waits here first.
    let journal: SpoolJournal?
    /// Of writing, when it was last tried.
    let lastFailure = Mutex<StoreError?>(nil)
    private let waits = Mutex(WriteWaits())

    private init(
        _ database: any SQLDatabase, _ work: any WorkLedger, _ sealing: (any PayloadSealing)?,
        _ journal: SpoolJournal? = nil
    ) {
        self.database = database
        self.work = work
        self.sealing = sealing
        self.journal = journal
    }

    /// Opens or makes the SQLite database and brings it up to date. With `sealing`, what holds captured memory is sealed.
    ///
    /// - Parameter journal: how what is accepted comes into it. What a process that was killed has left in the journal is
    ///   taken over, unless another process is at it.
    package convenience init(
        path: String, sealing: (any PayloadSealing)? = nil, journal: JournalUse = .none
    ) throws(StoreError) {
        let database = try SQLiteDatabase(path: path)
        switch journal {
        case .own(let tell):
            let folder = try JournalFolder(of: path)
            let spool = try SpoolJournal(folder, from: Self.settled(database), tell: tell)
            self.init(database, try SQLiteLedger(database), sealing, spool)
            try recover()
        case .none:
            if let folder = try JournalFolder(leftOf: path) {
                let spool = try SpoolJournal(folder, from: Self.settled(database), tell: Self.tellOnStandardError)
                let store = SQLEventStore(database, try SQLiteLedger(database), sealing, spool)
                try store.recover()
                spool.removeAll()
            }
            self.init(database, try SQLiteLedger(database), sealing)
        }
    }

    /// Connects to PostgreSQL and brings the database up to date.
    ///
    /// - Parameter postgres: as libpq takes it: a URI, or names and values.
    package convenience init(postgres address: String, sealing: (any PayloadSealing)? = nil) throws(StoreError) {
        let database = try PostgresDatabase(address)
        guard try !database.read(StoreMigration.isUnderWay) else {
            throw StoreError(.busy, "a migration into this database is not finished: run vaka migrate again")
        }
        self.init(database, try PostgresLedger(database), sealing)
    }

    package var now: Timestamp { database.now }

    package func close() {
        settleAtEnd()
        work.close()
        database.close()
    }

    package var writeWaits: WriteWaits { waits.withLock { $0 } }

    func read<Result>(_ body: (SQLConnection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try database.read(body)
    }

    @discardableResult
    func write<Result>(
        _ lock: WriteLock = .none, repeatable: Bool = false, _ body: (SQLConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let asked = ContinuousClock.now
        do {
            let result = try database.write(lock, repeatable: repeatable) { (connection) throws(StoreError) in
                waits.withLock { $0.add(ContinuousClock.now - asked) }
                return try body(connection)
            }
            lastFailure.withLock { $0 = nil }
            return result
        } catch {
            lastFailure.withLock { $0 = error }
            throw error
        }
    }
}
