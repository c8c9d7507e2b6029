// SPDX-License-Identifier: Apache-2.0

/// The numbered steps from an empty database to the present one. A step is never changed once released. What a step adds
/// to SQLite's is added here too, as a step of its own: the numbers differ.
enum PostgresMigrations {
    static let steps: [String] = [
        access + spool + issues + issueTables + events + eventTables + images + search + programs + projects + alerts,
        "ALTER TABLE attachments ADD COLUMN sealed_size BIGINT",
        """
        CREATE TABLE housekeeping (
            id BIGINT PRIMARY KEY, asked BIGINT NOT NULL, begun BIGINT NOT NULL, done BIGINT NOT NULL,
            events BIGINT NOT NULL, records BIGINT NOT NULL);
        INSERT INTO housekeeping (id, asked, begun, done, events, records) VALUES (1, 0, 0, 0, 0, 0);
        """,
    ]

    /// Many nodes may start at once: one of them does it, the others wait.
    static let lock = "7260, 0"

    static func run(on connection: SQLConnection) throws(StoreError) {
        try connection.execute("SET statement_timeout = 0; SET lock_timeout = 0; SELECT pg_advisory_lock(\(lock))")
        try connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)")
        let current = try connection.first("SELECT max(version) FROM schema_version") { $0.int(0) } ?? 0
        guard current <= steps.count else {
            throw StoreError(
                .newerSchema,
                "the database is of a newer version (\(current)) than this program knows (\(steps.count)); "
                    + "run the newer vaka-server")
        }
        for (index, step) in steps.enumerated().dropFirst(current) {
            try connection.transaction { (connection) throws(StoreError) in
                try connection.execute(step)
                try connection.run("INSERT INTO schema_version (version) VALUES (?)", [.integer(Int64(index + 1))])
            }
        }
        try connection.execute("SELECT pg_advisory_unlock(\(lock))")
    }
}
