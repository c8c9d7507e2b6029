// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Tables whose rows lie by the day on which they came, so that a day that is over is dropped as a whole.
///
/// Two are so: what every project keeps for the same time. Events, attachments and sessions are not: the first and the last
/// event of an issue stay whatever their age, and projects keep them for times of their own.
enum PostgresDays {
    /// Milliseconds.
    static let length: Int64 = 86_400_000
    static let tables = ["accepted_items", "event_reports"]
    /// Days that are made before they come. Nobody's clock but the database's is asked for the time.
    private static let ahead: Int64 = 3

    /// Makes what is missing for today and the next days; rows of other times lie apart. By one node at a time.
    static func prepare(_ connection: SQLConnection, now: Timestamp) throws(StoreError) {
        let today = now.milliseconds / length
        try connection.transaction { (connection) throws(StoreError) in
            try connection.execute("SELECT pg_advisory_xact_lock(\(PostgresMigrations.lock))")
            for table in tables { try make(Array(today...today + ahead), of: table, connection) }
        }
    }

    /// Makes those of the days, counted since 1970, that are missing.
    static func make(_ wanted: [Int64], of table: String, _ connection: SQLConnection) throws(StoreError) {
        let known = Set(try days(of: table, connection).map(\.start))
        for start in wanted.map({ $0 * length }) where !known.contains(start) {
            try connection.execute(
                """
                CREATE TABLE \(table)_\(start / length) PARTITION OF \(table)
                FOR VALUES FROM (\(start)) TO (\(start + length))
                """)
        }
    }

    /// The name of the table's first day that is over at `time` as a whole.
    static func over(
        at time: Timestamp, _ table: String, _ connection: SQLConnection
    ) throws(StoreError) -> String? {
        try days(of: table, connection).filter { $0.start + length <= time.milliseconds }.min { $0.start < $1.start }?
            .name
    }

    private static func days(
        of table: String, _ connection: SQLConnection
    ) throws(StoreError) -> [(name: String, start: Int64)] {
        let names = try connection.query(
            """
            SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = CAST(CAST(? AS TEXT) AS regclass)
            """, [.text(table)]
        ) { $0.text(0) }
        return names.compactMap { name in
            name.split(separator: "_").last.flatMap { Int64($0) }.map { (name, $0 * length) }
        }
    }
}
