// SPDX-License-Identifier: Apache-2.0

/// The rows of one table, copied in the order of its key.
struct MigratedTable {
    /// What others refer to comes before them.
    static let names = [
        "projects", "users", "members", "credentials", "login_links", "web_sessions", "audit_log", "project_limits",
        "project_retention", "source_links", "release_commits", "scrub_settings", "sdk_settings", "sealing", "spool",
        "accepted_items", "other_items", "issues", "issue_aliases", "mute_counts", "issue_history", "issue_counts",
        "project_counts", "issue_values", "issue_moves", "issue_move_keys", "grouping_versions", "releases", "events",
        "event_reports", "mend_queue", "source_queue", "waiting_images", "waiting_sources", "event_keys", "attachments",
        "recordings",
        "hang_ends", "artifacts", "image_sets", "image_set_members", "event_image_sets", "sessions", "client_reports",
        "installations", "batch_ranges", "builds", "alert_targets", "alerts", "issue_texts", "issue_known_words",
        "network_exchanges", "capability_reports", "diagnostics",
    ]

    /// Rows in a step: fewer of what is large.
    private static let steps = [
        "attachments": 4, "recordings": 20, "events": 50, "event_reports": 20, "spool": 20, "other_items": 20,
        "network_exchanges": 50,
    ]
    private static let usualStep = 1000
    /// Where a row's number is told to others, and SQLite does not list it.
    private static let numbered: Set<String> = ["attachments", "installations"]

    let name: String
    let source: SQLConnection
    let target: SQLConnection
    private let columns: [String]
    private let key: [String]

    init(_ name: String, _ source: SQLConnection, _ target: SQLConnection) throws(StoreError) {
        self.name = name
        self.source = source
        self.target = target
        let all = try source.query("SELECT name, pk FROM pragma_table_info(?)", [.text(name)]) {
            (name: $0.text(0), place: $0.int(1))
        }
        key = all.filter { $0.place > 0 }.sorted { $0.place < $1.place }.map(\.name)
        columns =
            all.map(\.name).filter { name != "issues" || $0 != "merged_into" }
            + (Self.numbered.contains(name) ? ["rowid"] : [])
    }

    /// All rows of the source.
    func copy(_ progress: (_ done: Int64, _ total: Int64) throws -> Void) throws -> Int64 {
        let total = try source.first("SELECT count(*) FROM \(name)", [], { $0.integer(0) }) ?? 0
        var done = try target.first("SELECT rows FROM migration WHERE name = ?", [.text(name)], { $0.integer(0) }) ?? 0
        while done < total {
            try progress(done, total)
            let rows = try rows(after: done)
            guard !rows.isEmpty else { break }
            done += Int64(rows.count)
            try keep(rows, done)
        }
        try progress(total, total)
        return total
    }

    /// The key of the last row that was copied is looked for by its place: nobody changes the source.
    private func rows(after done: Int64) throws(StoreError) -> [[SQLValue]] {
        let order = key.map(Self.quoted).joined(separator: ", ")
        let list = columns.map(Self.quoted).joined(separator: ", ")
        let count = Int64(Self.steps[name] ?? Self.usualStep)
        guard done > 0 else {
            return try read("SELECT \(list) FROM \(name) ORDER BY \(order) LIMIT ?", [.integer(count)], columns.count)
        }
        let last = try read(
            "SELECT \(order) FROM \(name) ORDER BY \(order) LIMIT 1 OFFSET ?", [.integer(done - 1)], key.count)
        let places = key.map { _ in "?" }.joined(separator: ", ")
        return try read(
            "SELECT \(list) FROM \(name) WHERE (\(order)) > (\(places)) ORDER BY \(order) LIMIT ?",
            (last.first ?? []) + [.integer(count)], columns.count)
    }

    private func read(_ sql: String, _ values: [SQLValue], _ count: Int) throws(StoreError) -> [[SQLValue]] {
        try source.query(sql, values) { row in (0..<Int32(count)).map { row.value($0) } }
    }

    private func keep(_ rows: [[SQLValue]], _ done: Int64) throws(StoreError) {
        let isByDay = name == "accepted_items"
        let received = columns.firstIndex(of: "received_at")
        let names = columns.map(Self.quoted) + (isByDay ? ["day"] : [])
        let places = names.map { _ in "?" }.joined(separator: ", ")
        let sql = "INSERT INTO \(name) (\(names.joined(separator: ", "))) VALUES (\(places))"
        try target.transaction { (target) throws(StoreError) in
            for row in rows {
                var values = row.map(fitting)
                if isByDay, let received, case .integer(let time) = row[received] {
                    values.append(.integer(time / PostgresDays.length * PostgresDays.length))
                }
                try target.post(sql, values)
            }
            try target.run(
                """
                INSERT INTO migration (name, rows) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET rows = excluded.rows
                """, [.text(name), .integer(done)])
        }
    }

    /// Names of releases, users and the like are in indexes.
    private func fitting(_ value: SQLValue) -> SQLValue {
        guard ["events", "releases", "issue_values", "sessions", "client_reports", "recordings"].contains(name),
            case .text(let text) = value
        else { return value }
        return .text(target.dialect.fitting(text))
    }

    /// Which issues went into others, once all of them are there.
    static func redirect(_ source: SQLConnection, _ target: SQLConnection) throws(StoreError) {
        let redirects = try source.query("SELECT id, merged_into FROM issues WHERE merged_into IS NOT NULL") {
            ($0.integer(0), $0.integer(1))
        }
        try target.transaction { (target) throws(StoreError) in
            for (issue, into) in redirects {
                try target.run("UPDATE issues SET merged_into = ? WHERE id = ?", [.integer(into), .integer(issue)])
            }
        }
    }

    /// New rows get numbers that no row has had.
    static func continueNumbers(_ source: SQLConnection, _ target: SQLConnection) throws(StoreError) {
        let columns = try target.query(
            """
            SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT) FROM information_schema.columns
            WHERE is_identity = 'YES' AND table_schema = current_schema()
            """
        ) { (table: $0.text(0), column: $0.text(1)) }
        for (table, column) in columns {
            let used = try source.first("SELECT seq FROM sqlite_sequence WHERE name = ?", [.text(table)]) {
                $0.integer(0)
            }
            try target.run(
                """
                SELECT setval(pg_get_serial_sequence(CAST(? AS TEXT), CAST(? AS TEXT)), greatest(last, ?, 1), greatest(last, ?) > 0)
                FROM (SELECT coalesce(max(\(column)), 0) AS last FROM \(table)) m
                """, [.text(table), .text(column), .integer(used ?? 0), .integer(used ?? 0)])
        }
    }

    private static func quoted(_ column: String) -> String { "\"\(column)\"" }
}
