// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Changes what an issue is, by a person's word or an event's coming, inside a transaction that its caller holds.
struct IssueStateWriter {
    /// Of a window in which events of a muted issue are counted: its parts.
    private static let windowParts: Int64 = 60

    let connection: SQLConnection
    let issue: Int64
    private var history: IssueHistoryWriter { IssueHistoryWriter(connection: connection) }

    init(connection: SQLConnection, issue: Int64) {
        self.connection = connection
        self.issue = issue
    }

    func apply(_ change: IssueChange, by actor: String, now: Timestamp) throws(StoreError) {
        switch change {
        case .open:
            try set(.open, by: actor, now)
            try history.add(.opened, to: issue, by: actor, at: now)
        case .resolve(let resolution):
            try set(.resolved, by: actor, now)
            try resolve(resolution, by: actor, now)
        case .mute(let mute):
            try set(.muted, by: actor, now)
            try self.mute(mute, by: actor, now)
        case .assign(let assignee):
            try connection.run(
                "UPDATE issues SET assignee = ? WHERE id = ?", [.optional(assignee), .integer(issue)])
            try history.add(.assigned, to: issue, by: actor, at: now, text: assignee)
        case .comment(let text):
            try history.add(.commented, to: issue, by: actor, at: now, text: text)
        }
    }

    /// An event came to the issue, which was there before.
    func sees(_ event: ProcessedEvent) throws(StoreError) {
        let state = try connection.first(
            """
            SELECT status, changed_at, resolved_in, resolved_after, muted_until, mute_events, mute_window FROM issues
            WHERE id = ?
            """, [.integer(issue)]
        ) { State($0) }
        guard let state else { return }
        switch state.status {
        case .resolved where try regresses(event, state):
            try set(.regressed, by: IssueHistoryWriter.service, event.receivedAt)
            try history.add(.regressed, to: issue, at: event.receivedAt, text: event.release, event: event.eventID)
            try AlertQueue(connection: connection).add(.regression, event, issue: issue)
        case .muted where try isHeard(event, state):
            try set(.open, by: IssueHistoryWriter.service, event.receivedAt)
            try history.add(.opened, to: issue, at: event.receivedAt, event: event.eventID)
        default:
            break
        }
    }

    private struct State {
        var status: IssueStatus
        var changedAt: Timestamp
        var resolvedIn: String?
        var resolvedAfter: Bool
        var mutedUntil: Timestamp?
        var muteEvents: Int?
        var muteWindow: Int64

        init(_ row: SQLRow) {
            status = IssueStatus(rawValue: row.text(0)) ?? .open
            changedAt = row.time(1)
            resolvedIn = row.optionalText(2)
            resolvedAfter = row.bool(3)
            mutedUntil = row.optionalTime(4)
            muteEvents = row.optionalInt(5)
            muteWindow = row.integer(6)
        }
    }

    private func regresses(_ event: ProcessedEvent, _ state: State) throws(StoreError) -> Bool {
        guard let base = state.resolvedIn else { return event.timestamp > state.changedAt }
        // Of an event that names no release nobody can tell.
        guard let release = event.release else { return false }
        if release == base { return !state.resolvedAfter }
        return try ReleaseTable(connection: connection, project: event.project).isLater(release, than: base)
    }

    private func isHeard(_ event: ProcessedEvent, _ state: State) throws(StoreError) -> Bool {
        if let end = state.mutedUntil { return event.receivedAt >= end }
        guard let most = state.muteEvents else { return false }
        let part = max(1000, state.muteWindow / Self.windowParts)
        let now = event.receivedAt.milliseconds
        try connection.run(
            """
            INSERT INTO mute_counts (issue_id, start, events) VALUES (?, ?, 1)
            ON CONFLICT (issue_id, start) DO UPDATE SET events = mute_counts.events + 1
            """, [.integer(issue), .integer(now / part * part)])
        try connection.run(
            "DELETE FROM mute_counts WHERE issue_id = ? AND start <= ?",
            [.integer(issue), .integer(now - state.muteWindow - part)])
        let counted = try connection.first(
            "SELECT sum(events) FROM mute_counts WHERE issue_id = ?", [.integer(issue)]
        ) { $0.int(0) }
        return (counted ?? 0) >= most
    }

    private func set(_ status: IssueStatus, by actor: String, _ now: Timestamp) throws(StoreError) {
        try connection.run("DELETE FROM mute_counts WHERE issue_id = ?", [.integer(issue)])
        try connection.run(
            """
            UPDATE issues SET status = ?, changed_at = ?, changed_by = ?, resolved_in = NULL, resolved_after = 0,
                muted_until = NULL, mute_events = NULL, mute_window = NULL WHERE id = ?
            """, [.text(status.rawValue), .time(now), .text(actor), .integer(issue)])
    }

    private func resolve(
        _ resolution: IssueChange.Resolution, by actor: String, _ now: Timestamp
    ) throws(StoreError) {
        let (release, after): (String?, Bool) =
            switch resolution {
            case .now: (nil, false)
            case .inRelease(let release): (release, false)
            case .afterRelease(let release): (release, true)
            }
        try connection.run(
            "UPDATE issues SET resolved_in = ?, resolved_after = ? WHERE id = ?",
            [.optional(release), .bool(after), .integer(issue)])
        let words = release.map { (after ? "after " : "in ") + $0 }
        try history.add(.resolved, to: issue, by: actor, at: now, text: words)
    }

    private func mute(_ mute: IssueChange.Mute, by actor: String, _ now: Timestamp) throws(StoreError) {
        var words: String?
        switch mute {
        case .forever: break
        case .until(let end):
            try connection.run("UPDATE issues SET muted_until = ? WHERE id = ?", [.time(end), .integer(issue)])
            words = "until \(end)"
        case .events(let most, let window):
            try connection.run(
                "UPDATE issues SET mute_events = ?, mute_window = ? WHERE id = ?",
                [.integer(Int64(most)), .integer(window), .integer(issue)])
            words = "until \(most) events come in \(window / 1000) s"
        }
        try history.add(.muted, to: issue, by: actor, at: now, text: words)
    }
}
