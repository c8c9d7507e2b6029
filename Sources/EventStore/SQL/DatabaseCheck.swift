// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What a database holds, and what is wrong with it. It may be in use: it is read as it is at one moment.
package struct DatabaseCheck: Sendable {
    /// How much of what.
    package struct Counts: Codable, Equatable, Sendable {
        package var projects = 0
        package var issues = 0
        package var events = 0
        package var attachments = 0
        package var sessions = 0
        /// Accepted, and not worked on yet.
        package var waiting = 0

        package init() {}
    }

    /// A file that was uploaded.
    package struct StoredFile: Hashable, Sendable {
        package var buildID: BuildID
        package var kind: ArtifactKind
        package var name: String?
    }

    /// The steps that it was brought up to date by; nil where it is no database of ours.
    package private(set) var schema: Int?
    package private(set) var counts = Counts()
    package private(set) var files: Set<StoredFile> = []
    /// Sentences for people, at most `mostFaults` of each kind.
    package private(set) var faults: [String] = []

    private static let mostFaults = 20

    /// The schema this program writes to SQLite.
    package static var newestSchema: Int { Migrations.steps.count }

    /// Of SQLite.
    package init(path: String) throws(StoreError) {
        let connection = try SQLConnection(path: path, readOnly: true)
        defer { connection.close() }
        do {
            try connection.execute("BEGIN")
            try checkPages(connection)
            try readRows(connection, newest: Self.newestSchema)
        } catch {
            guard error.code == .damaged else { throw error }
            faults.append(error.description)
        }
    }

    /// Of PostgreSQL, whose pages and references are its own to check.
    package init(postgres address: String) throws(StoreError) {
        let connection = SQLConnection(try PostgresDriver(address, clock: PostgresClock()))
        defer { connection.close() }
        try connection.execute("SET statement_timeout = 0; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        try readRows(connection, newest: PostgresMigrations.steps.count)
    }

    private mutating func readRows(_ connection: SQLConnection, newest: Int) throws(StoreError) {
        try readSchema(connection, newest: newest)
        guard schema.map({ $0 <= newest }) ?? false else { return }
        if connection.dialect == .sqlite { try checkReferences(connection) }
        try checkDocuments(connection)
        try readCounts(connection)
        try readFiles(connection)
    }

    private mutating func checkPages(_ connection: SQLConnection) throws(StoreError) {
        let found = try connection.query("PRAGMA integrity_check(\(Self.mostFaults))") { $0.text(0) }
        faults += found.filter { $0 != "ok" }.map { "the database is damaged: \($0)" }
    }

    private mutating func readSchema(_ connection: SQLConnection, newest: Int) throws(StoreError) {
        let table =
            connection.dialect == .sqlite
            ? "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'schema_version'"
            : "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'schema_version'"
        if try connection.first(table, [], { $0.int(0) }) == 1 {
            schema = try connection.first("SELECT max(version) FROM schema_version") { $0.int(0) }
        }
        guard let schema else {
            faults.append("it is no database of a Vaka service")
            return
        }
        if schema > newest {
            faults.append(
                "the database is of a newer version (\(schema)) than this program knows (\(newest)): check it "
                    + "with the newer vaka-server")
        }
    }

    private mutating func checkReferences(_ connection: SQLConnection) throws(StoreError) {
        let found = try connection.query("PRAGMA foreign_key_check") { row in
            "row \(row.int(1)) of \(row.text(0)) needs one of \(row.text(2)), which is not there"
        }
        faults += found.prefix(Self.mostFaults)
    }

    private mutating func checkDocuments(_ connection: SQLConnection) throws(StoreError) {
        let emptied = try connection.query(
            "SELECT event_id FROM events WHERE length(document) = 0 LIMIT \(Self.mostFaults)"
        ) { "the event \($0.text(0)) has no document" }
        faults += emptied
    }

    private mutating func readCounts(_ connection: SQLConnection) throws(StoreError) {
        func count(_ table: String) throws(StoreError) -> Int {
            try connection.first("SELECT count(*) FROM \(table)") { $0.int(0) } ?? 0
        }
        counts.projects = try count("projects")
        counts.issues = try count("issues WHERE merged_into IS NULL")
        counts.events = try count("events")
        counts.attachments = try count("attachments")
        counts.sessions = try count("sessions")
        counts.waiting = try count("spool")
    }

    private mutating func readFiles(_ connection: SQLConnection) throws(StoreError) {
        // Those of no project were fetched elsewhere, and can be again.
        let rows = try connection.query(
            "SELECT build_id, kind, name FROM artifacts WHERE project_id <> \(Artifact.noProject)"
        ) { row in
            BuildID(hex: row.text(0)).map {
                StoredFile(buildID: $0, kind: ArtifactKind(rawValue: row.text(1)), name: row.optionalText(2))
            }
        }
        files = Set(rows.compactMap { $0 })
    }
}
