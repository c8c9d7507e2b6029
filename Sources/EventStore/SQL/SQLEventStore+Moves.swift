// SPDX-License-Identifier: Apache-2.0
package import VakaModel

extension SQLEventStore {
    package func merge(
        project: Int64, issue: Int64, into target: Int64, by actor: String, now: Timestamp
    ) throws(StoreError) -> MoveResult {
        try write(.issues([project])) { (connection) throws(StoreError) in
            try MoveWriter(connection: connection, project: project, actor: actor, now: now).merge(issue, into: target)
        }
    }

    package func split(
        project: Int64, issue: Int64, _ part: IssuePart, by actor: String, now: Timestamp
    ) throws(StoreError) -> MoveResult {
        try write(.issues([project])) { (connection) throws(StoreError) in
            try MoveWriter(connection: connection, project: project, actor: actor, now: now).split(issue, part)
        }
    }

    package func undo(
        project: Int64, move: Int64, by actor: String, now: Timestamp
    ) throws(StoreError) -> MoveResult {
        try write(.issues([project])) { (connection) throws(StoreError) in
            try MoveWriter(connection: connection, project: project, actor: actor, now: now).undo(move)
        }
    }

    package func moves(project: Int64, issue: Int64, limit: Int) throws(StoreError) -> [IssueMove] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT id, kind, source, target, at, actor, undone_at FROM issue_moves
                WHERE project_id = ?1 AND (source = ?2 OR target = ?2) ORDER BY id DESC LIMIT ?3
                """, [.integer(project), .integer(issue), .integer(Int64(limit))]
            ) { row in
                IssueMove(
                    id: row.integer(0), kind: IssueMove.Kind(rawValue: row.text(1)) ?? .fold, source: row.integer(2),
                    target: row.integer(3), at: row.time(4), by: row.text(5), undoneAt: row.optionalTime(6))
            }
        }
    }

    package func keys(project: Int64, issue: Int64, limit: Int) throws(StoreError) -> [IssueKeyUse] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT a.version, a.kind, a.value,
                    (SELECT count(*) FROM event_keys k JOIN events e ON e.id = k.event_row
                     WHERE k.value = a.value AND k.kind = a.kind AND k.version = a.version AND e.issue_id = a.issue_id)
                FROM issue_aliases a WHERE a.issue_id = ? AND a.project_id = ? ORDER BY 4 DESC, 2, 3 LIMIT ?
                """, [.integer(issue), .integer(project), .integer(Int64(limit))]
            ) { row in
                IssueKeyUse(
                    key: IssueKey(kind: row.text(1), value: row.text(2)), version: row.int(0), events: row.int(3))
            }
        }
    }

    package func describe(
        project: Int64, issue: Int64, culprit: String?, texts: [SearchText]
    ) throws(StoreError) {
        try write(.issues([project])) { (connection) throws(StoreError) in
            let changed = try connection.run(
                "UPDATE issues SET culprit = coalesce(?, culprit) WHERE id = ? AND project_id = ?",
                [.optional(culprit), .integer(issue), .integer(project)])
            if changed > 0 { try SearchWriter(connection: connection).add(texts, to: issue) }
        }
    }
}
