// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What was accepted and not yet worked on.
package protocol SpoolStore: Sendable {
    /// Keeps the entries for good; entries of a kind and id that were accepted before are left out. The origin is taken down.
    /// Calls `done` once, on a thread of the store's that is not to be held up: with nil when all is on the disk.
    func accept(
        _ entries: [SpoolEntry], project: Int64, from origin: BatchOrigin?,
        done: @escaping @Sendable (StoreError?) -> Void)
    /// What the spool holds, without a look into the database: asked at every request.
    var spoolBytes: Int { get }
    /// Requests come faster than they are accepted, for want of processors: what can wait should leave them to it.
    var isPressed: Bool { get }
    func spoolState() throws(StoreError) -> SpoolState
    /// The oldest items that nobody holds, `most` of them at most, and none further once they exceed `bytes`. Each is held
    /// until completed, discarded or released; a restart releases all.
    func claimSpoolItems(most: Int, bytes: Int) throws(StoreError) -> [SpoolItem]
    func claimMendItem() throws(StoreError) -> MendItem?
    func release(sequence: Int64)
    func release(eventRow: Int64)
    /// Stores the events and their issues in their order, and removes the spool's rows: all in one transaction.
    func complete(_ events: [ProcessedEvent]) throws(StoreError) -> [StoreOutcome]
    /// Whether the event would be counted only: an issue has its keys, and as many events of the last minute as are stored.
    /// False for the first crash of a build. Changes nothing.
    func isBeyondRate(_ event: ProcessedEvent) throws(StoreError) -> Bool
    /// Keeps an item of a kind that has no table, and removes the spool's row.
    func keep(_ item: SpoolItem) throws(StoreError)
    /// Items that were kept as they came, the latest first.
    func keptItems(project: Int64, limit: Int) throws(StoreError) -> [KeptItem]
    /// Removes an event's row from the queue of those to mend, for there is nothing to mend.
    func dismiss(eventRow: Int64) throws(StoreError)
}

extension SpoolStore {
    /// Waits until all is on the disk.
    package func accept(_ entries: [SpoolEntry], project: Int64, from origin: BatchOrigin?) throws(StoreError) {
        let outcome = Monitor<StoreError??>(nil)
        accept(entries, project: project, from: origin) { error in outcome.update { $0 = .some(error) } }
        if let error = outcome.wait(for: { $0 }) ?? nil { throw error }
    }

    package func claimSpoolItem() throws(StoreError) -> SpoolItem? {
        try claimSpoolItems(most: 1, bytes: 1).first
    }

    package func complete(_ event: ProcessedEvent) throws(StoreError) -> StoreOutcome {
        try complete([event])[0]
    }
}
