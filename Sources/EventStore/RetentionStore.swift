// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What is removed in the course of time. Every removal is one transaction, as large as its caller says, and may be the last:
/// what is left is whole at any moment.
///
/// The first and the last stored event of an issue are never removed.
package protocol RetentionStore: Sendable {
    /// As the project set it: nil is as the server's options say, 0 is no limit.
    func retention(project: Int64) throws(StoreError) -> Retention
    func setRetention(_ retention: Retention, project: Int64) throws(StoreError)
    /// Runs `body` unless another process that uses the store does the same; false then.
    func alone(_ duty: Duty, _ body: () throws -> Void) throws -> Bool
    func keptEvents(project: Int64) throws(StoreError) -> KeptEvents
    /// Issues of which more than `most` events are stored, with the number of those.
    func crowdedIssues(project: Int64, most: Int) throws(StoreError) -> [CrowdedIssue]
    /// Rows of events that may be removed, the oldest first. Changes nothing.
    func removableEvents(_ choice: EventChoice, after: Cursor?, limit: Int) throws(StoreError) -> Page<RemovableEvent>
    /// Removes events with their reports, captured memory, attachments and hang ends; what counts them stays. Those that
    /// have become the first or last of their issue stay. The number of those that are gone.
    func removeEvents(rows: [Int64]) throws(StoreError) -> Int
    /// Removes at most `limit` of what is kept for a time; the number of those that are gone.
    func forget(_ records: PassingRecords, limit: Int) throws(StoreError) -> Int
}

/// What one process does for all that use the store.
package enum Duty: String, Sendable {
    case housekeeping
}
