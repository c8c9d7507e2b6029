// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Merges, splits and undoes, inside a transaction that its caller holds.
struct MoveWriter {
    let connection: SQLConnection
    let project: Int64
    let actor: String
    let now: Timestamp

    private var history: IssueHistoryWriter { IssueHistoryWriter(connection: connection) }

    func merge(_ issue: Int64, into target: Int64) throws(StoreError) -> MoveResult {
        guard let source = try resolve(issue) else { return .notFound("issue \(issue)") }
        guard let target = try resolve(target) else { return .notFound("issue \(target)") }
        guard source != target else { return .refused("an issue cannot go into itself") }
        let move = try record(.merge, from: source, to: target)
        try connection.run(
            """
            INSERT INTO issue_move_keys (move_id, version, kind, value)
            SELECT ?, version, kind, value FROM issue_aliases WHERE issue_id = ?
            """, [.integer(move), .integer(source)])
        try empty(source, into: target)
        try note(.merged, source, target)
        return .done(move: move, issue: target)
    }

    func split(_ issue: Int64, _ part: IssuePart) throws(StoreError) -> MoveResult {
        guard let source = try resolve(issue) else { return .notFound("issue \(issue)") }
        try connection.run("DELETE FROM chosen_keys")
        try connection.run("DELETE FROM moving")
        switch part {
        case .events(let ids):
            if let missing = try choose(events: ids, of: source) { return .notFound("event \(missing) in this issue") }
        case .keys(let keys):
            if let missing = try choose(keys: keys, of: source) {
                return .notFound("key \(missing.kind):\(missing.value) in this issue")
            }
        }
        guard try count("SELECT count(*) FROM moving") > 0 else {
            return .refused("no stored event has one of these keys as its first")
        }
        guard try hasOthers(source) else {
            return .refused("nothing would be left of the issue")
        }
        let target = try newIssue(like: source)
        let move = try record(.split, from: source, to: target)
        try connection.run(
            "INSERT INTO issue_move_keys (move_id, version, kind, value) SELECT ?, version, kind, value FROM chosen_keys",
            [.integer(move)])
        try IssueMover(connection: connection, source: source, target: target).moveChosen()
        try takeKeys(of: move, from: source, to: target)
        try note(.split, source, target)
        return .done(move: move, issue: target)
    }

    func undo(_ move: Int64) throws(StoreError) -> MoveResult {
        let found = try connection.first(
            "SELECT kind, source, target, undone_at FROM issue_moves WHERE id = ? AND project_id = ?",
            [.integer(move), .integer(project)]
        ) { (kind: $0.text(0), source: $0.integer(1), target: $0.integer(2), undone: !$0.isNull(3)) }
        guard let found else { return .notFound("move \(move)") }
        guard !found.undone else { return .refused("it was undone already") }
        guard let now = try resolve(found.source), let target = try resolve(found.target) else {
            return .notFound("the issue of move \(move)")
        }
        switch IssueMove.Kind(rawValue: found.kind) {
        case .merge?:
            guard now != found.source else { return .refused("the issue is one of its own already") }
            try bringBack(found.source, from: now, move)
        case .split?:
            guard now != target else { return .refused("the issues are one already") }
            try empty(target, into: now)
        case .fold?, nil:
            return .refused("what the service folds by itself is not undone; split the issue")
        }
        try connection.run(
            "UPDATE issue_moves SET undone_at = ? WHERE id = ?", [.time(self.now), .integer(move)])
        try note(.undone, found.source, found.target)
        return .done(move: move, issue: found.source)
    }

    /// Events, keys, counts and address.
    private func empty(_ source: Int64, into target: Int64) throws(StoreError) {
        let mover = IssueMover(connection: connection, source: source, target: target)
        try mover.moveAll()
        try mover.redirect()
    }

    private func bringBack(_ issue: Int64, from holder: Int64, _ move: Int64) throws(StoreError) {
        try connection.run("UPDATE issues SET merged_into = NULL WHERE id = ?", [.integer(issue)])
        try connection.run(
            """
            UPDATE issues SET merged_into = ?1 WHERE merged_into = ?2 AND id IN
                (SELECT source FROM issue_moves WHERE target = ?1 AND kind <> 'split' AND undone_at IS NULL)
            """, [.integer(issue), .integer(holder)])
        try connection.run("DELETE FROM moving")
        try connection.run(
            """
            INSERT INTO moving SELECT e.id FROM issue_move_keys m
            JOIN event_keys k ON k.value = m.value AND k.kind = m.kind AND k.version = m.version
            JOIN events e ON e.id = k.event_row WHERE m.move_id = ? AND e.issue_id = ?
            """, [.integer(move), .integer(holder)])
        try IssueMover(connection: connection, source: holder, target: issue).moveChosen()
        try takeKeys(of: move, from: holder, to: issue)
    }

    private func takeKeys(of move: Int64, from source: Int64, to target: Int64) throws(StoreError) {
        try connection.run(
            """
            UPDATE issue_aliases SET issue_id = ? WHERE issue_id = ? AND (version, kind, value) IN
                (SELECT version, kind, value FROM issue_move_keys WHERE move_id = ?)
            """, [.integer(target), .integer(source), .integer(move)])
    }

    /// The first id that is no event of the issue.
    private func choose(events ids: [String], of issue: Int64) throws(StoreError) -> String? {
        for id in ids {
            try connection.run(
                """
                INSERT INTO moving SELECT id FROM events WHERE project_id = ? AND event_id = ? AND issue_id = ?
                ON CONFLICT DO NOTHING
                """,
                [.integer(project), .text(id), .integer(issue)])
            let isThere = try connection.first(
                "SELECT 1 FROM events WHERE project_id = ? AND event_id = ? AND issue_id = ?",
                [.integer(project), .text(id), .integer(issue)]
            ) { _ in true }
            if isThere == nil { return id }
        }
        try connection.run(
            """
            INSERT INTO chosen_keys SELECT DISTINCT k.version, k.kind, k.value FROM moving m
            JOIN event_keys k ON k.event_row = m.id
            WHERE NOT EXISTS (SELECT 1 FROM event_keys o JOIN events e ON e.id = o.event_row
                WHERE o.value = k.value AND o.kind = k.kind AND o.version = k.version AND e.issue_id = ?
                    AND o.event_row NOT IN (SELECT id FROM moving))
            """, [.integer(issue)])
        return nil
    }

    /// The first key that is not the issue's.
    private func choose(keys: [IssueKey], of issue: Int64) throws(StoreError) -> IssueKey? {
        for key in keys {
            let found = try connection.run(
                """
                INSERT INTO chosen_keys SELECT version, kind, value FROM issue_aliases
                WHERE project_id = ? AND kind = ? AND value = ? AND issue_id = ?
                """, [.integer(project), .text(key.kind), .text(key.value), .integer(issue)])
            if found == 0 { return key }
        }
        try connection.run(
            """
            INSERT INTO moving SELECT e.id FROM chosen_keys c
            JOIN event_keys k ON k.value = c.value AND k.kind = c.kind AND k.version = c.version
            JOIN events e ON e.id = k.event_row WHERE e.issue_id = ? ON CONFLICT DO NOTHING
            """, [.integer(issue)])
        return nil
    }

    /// Described by the newest of the events that move.
    private func newIssue(like source: Int64) throws(StoreError) -> Int64 {
        try connection.insert(
            """
            INSERT INTO issues (project_id, title, type, level, status, first_seen, last_seen, events, basis)
            SELECT e.project_id, e.title, e.type, e.level, 'open', e.timestamp, e.timestamp, 0, i.basis
            FROM events e JOIN issues i ON i.id = ? WHERE e.id = (SELECT max(id) FROM moving)
            """, [.integer(source)])
    }

    private func record(_ kind: IssueMove.Kind, from source: Int64, to target: Int64) throws(StoreError) -> Int64 {
        try connection.insert(
            "INSERT INTO issue_moves (project_id, kind, source, target, at, actor) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .integer(project), .text(kind.rawValue), .integer(source), .integer(target), .time(now), .text(actor),
            ])
    }

    private func note(
        _ change: IssueHistoryEntry.Change, _ source: Int64, _ target: Int64
    ) throws(StoreError) {
        try history.add(change, to: source, by: actor, at: now, other: target)
        try history.add(change, to: target, by: actor, at: now, other: source)
    }

    /// Where the issue's address leads; nil when there is none in the project.
    private func resolve(_ issue: Int64) throws(StoreError) -> Int64? {
        try connection.first(
            "SELECT coalesce(merged_into, id) FROM issues WHERE id = ? AND project_id = ?",
            [.integer(issue), .integer(project)]
        ) { $0.integer(0) }
    }

    /// Whether the issue has events that do not move.
    private func hasOthers(_ issue: Int64) throws(StoreError) -> Bool {
        try connection.first(
            "SELECT 1 FROM events WHERE issue_id = ? AND id NOT IN (SELECT id FROM moving) LIMIT 1", [.integer(issue)]
        ) { _ in true } ?? false
    }

    private func count(_ sql: String) throws(StoreError) -> Int {
        try connection.first(sql) { $0.int(0) } ?? 0
    }
}
