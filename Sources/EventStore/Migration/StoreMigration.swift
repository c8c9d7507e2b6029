// SPDX-License-Identifier: Apache-2.0

/// Moves the rows of a SQLite database, which nobody else uses meanwhile, into an empty PostgreSQL one. Every step is a
/// transaction that also notes how far it came: a migration that was cut off anywhere goes on there.
package struct StoreMigration {
    /// A table, rows that are there, and all of the source.
    package typealias Progress = (_ table: String, _ done: Int64, _ total: Int64) throws -> Void

    /// Rows by table, the same on both sides.
    package private(set) var counts: [String: Int64] = [:]

    let source: SQLConnection
    let target: SQLConnection
    private static let lock = "7264, 0"

    /// Until it is over no server starts on the target. The source stays as it is.
    @discardableResult
    package static func run(
        from path: String, to address: String, progress: Progress = { _, _, _ in }
    ) throws -> StoreMigration {
        // Brings it up to date, and takes over what waits in the journal.
        try SQLEventStore(path: path).close()
        let source = try SQLConnection(path: path, readOnly: true)
        defer { source.close() }
        let database = try PostgresDatabase(address)
        defer { database.close() }
        let target = try database.connect(forWork: false)
        defer { target.close() }
        var migration = StoreMigration(source: source, target: target)
        try migration.begin()
        try migration.copy(progress)
        try migration.finish()
        return migration
    }

    private init(source: SQLConnection, target: SQLConnection) {
        self.source = source
        self.target = target
    }

    /// Whether one was begun, and not finished.
    static func isUnderWay(_ connection: SQLConnection) throws(StoreError) -> Bool {
        try connection.first("SELECT to_regclass('migration') IS NOT NULL") { $0.bool(0) } ?? false
    }

    private func begin() throws(StoreError) {
        guard try target.first("SELECT pg_try_advisory_lock(\(Self.lock))", [], { $0.bool(0) }) == true else {
            throw StoreError(.busy, "another migration into this database is under way")
        }
        let nodes = try target.first(
            "SELECT count(*) FROM nodes WHERE alive_until > \(PostgresClock.sql)", [], { $0.int(0) })
        guard nodes == 0 else { throw StoreError(.busy, "servers use this database: stop them first") }
        if try !Self.isUnderWay(target) {
            guard try target.first("SELECT count(*) FROM projects", [], { $0.int(0) }) == 0 else {
                throw StoreError(.exists, "this database has projects already: a migration needs an empty one")
            }
            try target.execute("CREATE TABLE migration (name TEXT PRIMARY KEY, rows BIGINT NOT NULL)")
        }
        for table in PostgresDays.tables {
            let days = try source.query("SELECT DISTINCT received_at / \(PostgresDays.length) FROM \(table)") {
                $0.integer(0)
            }
            try PostgresDays.make(days.sorted().suffix(Self.mostDays), of: table, target)
        }
    }

    /// Rows of days before lie apart.
    private static let mostDays = 100

    private mutating func copy(_ progress: Progress) throws {
        for name in MigratedTable.names {
            let table = try MigratedTable(name, source, target)
            counts[name] = try table.copy { done, total in try progress(name, done, total) }
        }
        try MigratedTable.redirect(source, target)
        for index in ["issue_search", "issue_words"] {
            try MigratedWords(index: index, source: source, target: target).copy { done, total in
                try progress(index, done, total)
            }
        }
    }

    private func finish() throws(StoreError) {
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            let there = try target.first("SELECT count(*) FROM \(name)", [], { $0.integer(0) })
            guard there == count else {
                throw StoreError(
                    .failed, "\(name) has \(there ?? 0) rows and not \(count): begin again with an empty database")
            }
        }
        for (table, column) in [("events", "document"), ("event_reports", "payload"), ("spool", "payload")] {
            let sum = "SELECT coalesce(sum(length(\(column))), 0) FROM \(table)"
            guard try source.first(sum, [], { $0.integer(0) }) == target.first(sum, [], { $0.integer(0) }) else {
                throw StoreError(.failed, "\(table) is not as it was: begin again with an empty database")
            }
        }
        try target.transaction { (target) throws(StoreError) in
            try MigratedTable.continueNumbers(source, target)
            try target.execute("DROP TABLE migration")
        }
        try target.execute("ANALYZE")
    }
}
