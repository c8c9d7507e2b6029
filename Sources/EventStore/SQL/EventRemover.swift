// SPDX-License-Identifier: Apache-2.0

/// Removes events, inside a transaction that its caller holds.
struct EventRemover {
    /// Of an event `e`: neither the first nor the last of its issue that is stored.
    static let isBetween = """
        e.id > (SELECT min(id) FROM events WHERE issue_id = e.issue_id)
        AND e.id < (SELECT max(id) FROM events WHERE issue_id = e.issue_id)
        """

    let connection: SQLConnection

    /// False for one that is gone already, or is the first or last of its issue and not to be removed nevertheless.
    func remove(_ row: Int64, evenIfLast: Bool = false) throws(StoreError) -> Bool {
        let condition = evenIfLast ? "" : " AND \(Self.isBetween)"
        let found = try connection.first(
            "SELECT e.project_id, e.event_id, e.issue_id FROM events e WHERE e.id = ?\(condition)",
            [.integer(row)]
        ) { (project: $0.integer(0), event: $0.text(1), issue: $0.integer(2)) }
        guard let found else { return false }
        let identity: [SQLValue] = [.integer(found.project), .text(found.event)]
        for table in ["attachments", "hang_ends", "recordings"] {
            try connection.run("DELETE FROM \(table) WHERE project_id = ? AND event_id = ?", identity)
        }
        try ImageUses(connection: connection).forget(row)
        // Reports, keys and what it waits for go with the row.
        try connection.run("DELETE FROM events WHERE id = ?", [.integer(row)])
        try connection.run("UPDATE issues SET stored = stored - 1 WHERE id = ?", [.integer(found.issue)])
        return true
    }
}
