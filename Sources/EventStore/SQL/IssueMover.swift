// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Moves events, keys and counts from one issue to another, inside a transaction that its caller holds.
struct IssueMover {
    let connection: SQLConnection
    let source: Int64
    let target: Int64

    private var both: [SQLValue] { [.integer(source), .integer(target)] }
    private var counter: IssueCounter { IssueCounter(connection: connection) }

    /// Makes what a writing connection needs for it.
    static func prepare(_ connection: SQLConnection) throws(StoreError) {
        try connection.execute(
            """
            CREATE TEMP TABLE moving (id BIGINT PRIMARY KEY);
            CREATE TEMP TABLE chosen_keys (
                version BIGINT NOT NULL, kind TEXT NOT NULL, value TEXT NOT NULL,
                PRIMARY KEY (version, kind, value))
            """)
    }

    /// Every event, and what was counted of those that are not stored any more.
    func moveAll() throws(StoreError) {
        try connection.run("UPDATE events SET issue_id = ?2 WHERE issue_id = ?1", both)
        try counter.moveAll(from: source, to: target)
    }

    func move(_ row: Int64) throws(StoreError) {
        try connection.run("DELETE FROM moving")
        try connection.run("INSERT INTO moving (id) VALUES (?)", [.integer(row)])
        try moveChosen()
    }

    /// The events whose rows are in the table `moving`.
    func moveChosen() throws(StoreError) {
        try connection.run("UPDATE events SET issue_id = ? WHERE id IN (SELECT id FROM moving)", [.integer(target)])
        try counter.moveChosen(from: source, to: target)
    }

    func sourceHasEvents() throws(StoreError) -> Bool {
        try connection.first("SELECT 1 FROM events WHERE issue_id = ? LIMIT 1", [.integer(source)]) { _ in true }
            ?? false
    }

    /// The source has no events any more: its keys and its address lead to the target.
    func fold() throws(StoreError) {
        try counter.moveAll(from: source, to: target)
        try redirect()
        try IssueHistoryWriter(connection: connection).add(.folded, to: source, other: target)
        try connection.run(
            """
            INSERT INTO issue_moves (project_id, kind, source, target, at, actor)
            SELECT project_id, 'fold', id, ?, ?, ? FROM issues WHERE id = ?
            """, [.integer(target), .time(connection.now), .text(IssueHistoryWriter.service), .integer(source)])
    }

    /// Keys and address lead to the target from now on.
    func redirect() throws(StoreError) {
        try connection.run("UPDATE issue_aliases SET issue_id = ?2 WHERE issue_id = ?1", both)
        // Redirects stay one step long.
        try connection.run("UPDATE issues SET merged_into = ?2 WHERE merged_into = ?1", both)
        try connection.run("UPDATE issues SET merged_into = ?2 WHERE id = ?1", both)
    }
}
