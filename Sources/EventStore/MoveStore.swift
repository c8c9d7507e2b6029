// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Merging and splitting issues by hand. Each is a move of keys, with the events that bear them, and can be undone.
package protocol MoveStore: Sendable {
    /// Moves all that `issue` has to `target`, and leaves a redirect.
    func merge(project: Int64, issue: Int64, into target: Int64, by actor: String, now: Timestamp) throws(StoreError)
        -> MoveResult
    /// Moves a part of an issue into a new one.
    func split(project: Int64, issue: Int64, _ part: IssuePart, by actor: String, now: Timestamp) throws(StoreError)
        -> MoveResult
    /// Moves the keys back where they came from, with the events that bear them, also those that came since.
    func undo(project: Int64, move: Int64, by actor: String, now: Timestamp) throws(StoreError) -> MoveResult
    /// Those from or to the issue, newest first.
    func moves(project: Int64, issue: Int64, limit: Int) throws(StoreError) -> [IssueMove]
    /// The keys by which the issue is known.
    func keys(project: Int64, issue: Int64, limit: Int) throws(StoreError) -> [IssueKeyUse]
    /// Tells what the store cannot read in the documents of events that moved.
    func describe(project: Int64, issue: Int64, culprit: String?, texts: [SearchText]) throws(StoreError)
}
