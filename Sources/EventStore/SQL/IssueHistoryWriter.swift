// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Writes into the history of issues, inside a transaction that its caller holds.
struct IssueHistoryWriter {
    /// Who did what no person did.
    static let service = "vaka"

    let connection: SQLConnection

    func add(
        _ change: IssueHistoryEntry.Change, to issue: Int64, by actor: String = service, at now: Timestamp = .now,
        text: String? = nil, other: Int64? = nil, event: String? = nil
    ) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO issue_history (issue_id, at, actor, change, text, other_issue, event_id)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(issue), .time(now), .text(actor), .text(change.rawValue), .optional(text),
                other.map { .integer($0) } ?? .null, .optional(event),
            ])
    }
}
