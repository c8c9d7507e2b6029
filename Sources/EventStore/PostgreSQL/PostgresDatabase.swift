// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import VakaModel

/// A database of PostgreSQL, which other processes use as well. Connections are made as they are needed, kept, and made anew
/// when they break.
final class PostgresDatabase: SQLDatabase {
    private typealias Connection = (sql: SQLConnection, driver: PostgresDriver)

    private struct Pool {
        var idle: [Connection] = []
        /// Those that are lent, too.
        var open = 0
        var outage = Outage()
    }

    /// Once PostgreSQL could not be reached one thread tries, now and then; the others do not wait for it.
    private struct Outage {
        var failure: StoreError?
        var isTrying = false
        var nextTry = ContinuousClock.now
    }

    private static let pause = Duration.milliseconds(500)

    /// Of one process: PostgreSQL allows a hundred in all, unless it is told otherwise.
    private static let mostConnections = 12
    private static let mostConflicts = 8

    let dialect = Dialect.postgres
    let clock = PostgresClock()
    private let address: String
    private let pool = Monitor(Pool())
    /// Days since 1970.
    private let preparedDay = Mutex<Int64>(-1)

    /// Connects, and brings the database up to date.
    init(_ address: String) throws(StoreError) {
        self.address = address
        let connection = try connect(forWork: false)
        defer { connection.close() }
        try PostgresMigrations.run(on: connection)
        try clock.set(by: connection)
        try prepareDays(connection)
    }

    /// To be done at least once a day.
    func prepareDays(_ connection: SQLConnection) throws(StoreError) {
        let today = now.milliseconds / PostgresDays.length
        guard preparedDay.withLock({ $0 != today }) else { return }
        try PostgresDays.prepare(connection, now: now)
        preparedDay.withLock { $0 = today }
    }

    var now: Timestamp { clock.now }

    func close() {
        pool.update { pool in
            pool.idle.forEach { $0.sql.close() }
            pool.idle = []
        }
    }

    /// One for its owner alone.
    func connect(forWork: Bool = true) throws(StoreError) -> SQLConnection {
        let connection = SQLConnection(try PostgresDriver(address, clock: clock))
        if forWork { try IssueMover.prepare(connection) }
        return connection
    }

    func read<Result>(_ body: (SQLConnection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try lend { (connection) throws(StoreError) in try body(connection.sql) }
        } catch {
            guard error.code == .away else { throw error }
            // It may have been away between this call and the last.
            return try lend { (connection) throws(StoreError) in try body(connection.sql) }
        }
    }

    func write<Result>(
        _ lock: WriteLock, repeatable: Bool, _ body: (SQLConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        var (conflicts, losses) = (0, 0)
        while true {
            var failure = Failure()
            do throws(StoreError) {
                return try lend { (connection) throws(StoreError) in
                    try self.transaction(connection, lock, &failure, body)
                }
            } catch {
                if failure.isConflict, conflicts < Self.mostConflicts {
                    conflicts += 1
                    usleep(UInt32.random(in: 1000...20_000) * UInt32(conflicts))
                } else if error.code == .away, losses == 0, repeatable || !failure.isOutcomeUnknown {
                    losses += 1
                } else {
                    throw error
                }
            }
        }
    }

    private struct Failure {
        var isConflict = false
        var isOutcomeUnknown = false
    }

    private func transaction<Result>(
        _ connection: Connection, _ lock: WriteLock, _ failure: inout Failure,
        _ body: (SQLConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do throws(StoreError) {
            try connection.sql.post("BEGIN")
            for (call, values) in lock.functions { try connection.sql.post("SELECT \(call)", values) }
            let result = try body(connection.sql)
            try connection.driver.commit()
            return result
        } catch {
            failure.isConflict = PostgresFailure.isConflict(connection.driver.failureState) && error.code == .busy
            failure.isOutcomeUnknown = connection.driver.isOutcomeUnknown
            connection.driver.rollback()
            throw error
        }
    }

    private func lend<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        let connection = try take()
        defer { giveBack(connection) }
        return try body(connection)
    }

    private func take() throws(StoreError) -> Connection {
        let turn = pool.wait(seconds: 30) { pool -> Turn? in
            if let connection = pool.idle.popLast() { return .kept(connection) }
            if let failure = pool.outage.failure, pool.outage.isTrying || pool.outage.nextTry > .now {
                return .away(failure)
            }
            guard pool.open < Self.mostConnections else { return nil }
            pool.open += 1
            pool.outage.isTrying = true
            return .new
        }
        switch turn {
        case .kept(let connection): return connection
        case .away(let failure): throw failure
        case .new: return try makeConnection()
        case nil: throw StoreError(.busy, "every connection to the database is in use")
        }
    }

    private enum Turn {
        case kept(Connection)
        case new
        case away(StoreError)
    }

    private func makeConnection() throws(StoreError) -> Connection {
        do throws(StoreError) {
            let connection = try connect()
            guard let driver = connection.driver as? PostgresDriver else { throw StoreError(.failed, "no PostgreSQL") }
            pool.update { $0.outage = Outage() }
            return (connection, driver)
        } catch {
            pool.update { pool in
                pool.open -= 1
                pool.outage = Outage(failure: error, nextTry: .now + Self.pause)
            }
            throw error
        }
    }

    private func giveBack(_ connection: Connection) {
        let isUsable = connection.driver.isUsable
        if !isUsable { connection.sql.close() }
        pool.update { pool in
            if isUsable { return pool.idle.append(connection) }
            // The others have most likely lost theirs as well.
            pool.open -= 1 + pool.idle.count
            pool.idle.forEach { $0.sql.close() }
            pool.idle = []
        }
    }

    func size() throws(StoreError) -> StoreSize {
        let bytes = try read { (connection) throws(StoreError) in
            try connection.first("SELECT pg_database_size(current_database())") { $0.integer(0) }
        }
        return StoreSize(all: UInt64(clamping: bytes ?? 0), unused: 0)
    }

    /// PostgreSQL does so by itself, for rows to come.
    func shrink(pages: Int) -> Bool { false }
    func giveBackMemory() {}
}

extension WriteLock {
    /// What is called after BEGIN, with its values. Everybody does so in this order.
    fileprivate var functions: [(call: String, values: [SQLValue])] {
        switch self {
        case .none: []
        case .issues(let projects):
            [("pg_advisory_xact_lock_shared(7261, 0), pg_advisory_xact_lock_shared(7262, 0)", [])]
                + Set(projects.map { UInt32(truncatingIfNeeded: $0) & 0x7fff_ffff }).sorted().map {
                    ("pg_advisory_xact_lock(7263, CAST(? AS INTEGER))", [.integer(Int64($0))])
                }
        case .allIssues: [("pg_advisory_xact_lock(7261, 0)", [])]
        case .images: [("pg_advisory_xact_lock(7262, 0)", [])]
        case .imageUses: [("pg_advisory_xact_lock_shared(7262, 0)", [])]
        }
    }
}
