// SPDX-License-Identifier: Apache-2.0
package import VakaModel

extension SQLEventStore {
    package func change(
        project: Int64, issue: Int64, _ changes: [IssueChange], by actor: String, now: Timestamp
    ) throws(StoreError) -> Issue? {
        guard let found = try self.issue(project: project, id: issue) else { return nil }
        try write(.issues([project])) { (connection) throws(StoreError) in
            let writer = IssueStateWriter(connection: connection, issue: found.id)
            for change in changes { try writer.apply(change, by: actor, now: now) }
        }
        return try self.issue(project: project, id: found.id)
    }

    package func history(
        project: Int64, issue: Int64, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<IssueHistoryEntry> {
        let rows = try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT h.id, h.at, h.actor, h.change, h.text, h.issue_id, h.other_issue, h.event_id FROM issue_history h
                JOIN issues i ON i.id = h.issue_id
                WHERE h.issue_id IN (SELECT id FROM issues WHERE id = ?1 OR merged_into = ?1) AND i.project_id = ?2
                    AND h.id < ?3 ORDER BY h.id DESC LIMIT ?4
                """,
                [.integer(issue), .integer(project), .integer(after?.first ?? .max), .integer(Int64(limit) + 1)]
            ) { row in
                IssueHistoryEntry(
                    id: row.integer(0), at: row.time(1), by: row.text(2), change: row.text(3),
                    text: row.optionalText(4), issue: row.integer(5), otherIssue: row.isNull(6) ? nil : row.integer(6),
                    event: row.optionalText(7))
            }
        }
        return Page(rows, limit: limit) { Cursor($0.id) }
    }

    package func endMutes(project: Int64, now: Timestamp) throws(StoreError) {
        // Reading first: nearly always there is none, and writers would wait.
        guard try !read({ (connection) throws(StoreError) in try Self.mutesThatEnd(connection, project, now) }).isEmpty
        else { return }
        try write(.issues([project])) { (connection) throws(StoreError) in
            for issue in try Self.mutesThatEnd(connection, project, now) {
                try IssueStateWriter(connection: connection, issue: issue).apply(
                    .open, by: IssueHistoryWriter.service, now: now)
            }
        }
    }

    private static func mutesThatEnd(
        _ connection: SQLConnection, _ project: Int64, _ now: Timestamp
    ) throws(StoreError) -> [Int64] {
        try connection.query(
            """
            SELECT id FROM issues
            WHERE project_id = ? AND status = 'muted' AND muted_until IS NOT NULL AND muted_until <= ?
            """, [.integer(project), .time(now)]
        ) { $0.integer(0) }
    }
}
