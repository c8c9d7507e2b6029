// SPDX-License-Identifier: Apache-2.0

extension SQLEventStore {
    /// The user's events by the issues that they touched, which have an index.
    private static let theirs = """
        project_id = ?1 AND "user" = ?2
        AND issue_id IN (SELECT issue_id FROM issue_values WHERE kind = 'user' AND value = ?2)
        """
    private static let installation = "install "

    package func events(
        ofUser user: String, project: Int64, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<StoredEvent> {
        let rows = try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT \(Self.eventColumns), document, grouping, id FROM events
                WHERE \(Self.theirs) AND id < ?3 ORDER BY id DESC LIMIT ?4
                """,
                [.integer(project), .text(user), .integer(after?.first ?? .max), .integer(Int64(limit) + 1)]
            ) { row in
                (
                    row.integer(13),
                    StoredEvent(summary: Self.summary(row), document: row.bytes(11), grouping: row.bytes(12))
                )
            }
        }
        return Page(rows, limit: limit) { Cursor($0.0) }.map { $0.1 }
    }

    package func removeData(ofUser user: String, project: Int64, limit: Int) throws(StoreError) -> Int {
        try write(.issues([project])) { (connection) throws(StoreError) in
            let rows = try connection.query(
                "SELECT id FROM events WHERE \(Self.theirs) ORDER BY id LIMIT ?3",
                [.integer(project), .text(user), .integer(Int64(limit))]
            ) { $0.integer(0) }
            let remover = EventRemover(connection: connection)
            var removed = 0
            for row in rows where try remover.remove(row, evenIfLast: true) { removed += 1 }
            if rows.count < limit { try Self.forget(user, project, connection) }
            return removed
        }
    }

    /// What names the user beside events.
    private static func forget(
        _ user: String, _ project: Int64, _ connection: SQLConnection
    ) throws(StoreError) {
        let issues = try connection.query(
            """
            SELECT v.issue_id FROM issue_values v JOIN issues i ON i.id = v.issue_id
            WHERE v.kind = 'user' AND v.value = ? AND i.project_id = ?
            """, [.text(user), .integer(project)]
        ) { $0.integer(0) }
        for issue in issues {
            try connection.run(
                "DELETE FROM issue_values WHERE issue_id = ? AND kind = 'user' AND value = ?",
                [.integer(issue), .text(user)])
            try connection.run(
                """
                UPDATE issues SET users = (SELECT count(*) FROM issue_values WHERE issue_id = issues.id AND kind = 'user'),
                    latest_event = (SELECT event_id FROM events WHERE issue_id = issues.id ORDER BY id DESC LIMIT 1)
                WHERE id = ?
                """, [.integer(issue)])
        }
        // What was shown before the program said who it was, too.
        try connection.run(
            """
            DELETE FROM recordings WHERE project_id = ?1 AND (user_id = ?2 OR (user_id = '' AND session_id IN (
                SELECT session_id FROM recordings WHERE project_id = ?1 AND user_id = ?2 AND session_id <> '')))
            """, [.integer(project), .text(connection.dialect.fitting(user))])
        // Without an id it would be all that tell of no installation.
        guard user.hasPrefix(installation), user != installation else { return }
        let id = String(user.dropFirst(installation.count))
        let theirs: [SQLValue] = [.integer(project), .text(id)]
        for table in [
            "sessions", "installations", "batch_ranges", "network_exchanges", "capability_reports", "diagnostics",
            "recordings",
        ] {
            try connection.run("DELETE FROM \(table) WHERE project_id = ? AND install_id = ?", theirs)
        }
    }
}
