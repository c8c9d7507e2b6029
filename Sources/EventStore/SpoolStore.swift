// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What was accepted and not yet worked on.
package protocol SpoolStore: Sendable {
    /// Keeps the entries for good; entries of a kind and id that were accepted before are left out. The origin is taken down.
    func accept(_ entries: [SpoolEntry], project: Int64, from origin: BatchOrigin?) throws(StoreError)
    /// What the spool holds, without a look into the database: asked at every request.
    var spoolBytes: Int { get }
    func spoolState() throws(StoreError) -> SpoolState
    /// The oldest item that nobody holds. It is held until completed, discarded or released; a restart releases all.
    func claimSpoolItem() throws(StoreError) -> SpoolItem?
    func claimMendItem() throws(StoreError) -> MendItem?
    func release(sequence: Int64)
    func release(eventRow: Int64)
    /// Stores the event and its issue, and removes the spool's row, in one transaction.
    func complete(_ event: ProcessedEvent) throws(StoreError) -> StoreOutcome
    /// Keeps an item of a kind that has no table, and removes the spool's row.
    func keep(_ item: SpoolItem) throws(StoreError)
    /// Removes an event's row from the queue of those to mend, for there is nothing to mend.
    func dismiss(eventRow: Int64) throws(StoreError)
}
