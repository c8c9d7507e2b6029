// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What people decide about issues.
package protocol TriageStore: Sendable {
    /// Does all of the changes, each with an entry in the history. Nil when there is no such issue.
    func change(
        project: Int64, issue: Int64, _ changes: [IssueChange], by actor: String, now: Timestamp
    ) throws(StoreError) -> Issue?
    /// Newest first.
    func history(project: Int64, issue: Int64, after: Cursor?, limit: Int) throws(StoreError) -> Page<IssueHistoryEntry>
    /// Opens the issues whose time of silence is over.
    func endMutes(project: Int64, now: Timestamp) throws(StoreError)
}
