// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

/// Stored events whose source lines have come.
package protocol SourceStore: Sendable {
    /// An event that nobody holds, neither for this nor to be symbolicated again. It is held until completed or released.
    func claimSourceItem() throws(StoreError) -> SourceItem?
    /// Replaces an event's document by one with source lines, and remembers what the event still waits for.
    ///
    /// - Parameter waitingFor: build ids whose bundles would tell more.
    func complete(_ item: SourceItem, document: Data, waitingFor: [String]) throws(StoreError)
    /// Removes an event from the queue as it is.
    func dismiss(_ item: SourceItem) throws(StoreError)
}

/// A stored event whose source bundle has come.
package struct SourceItem: Sendable {
    package var eventRow: Int64
    /// As it was stored, in the service's compression.
    package var document: Data
    /// The newest image revision when it was taken: bundles that came later may have been missed.
    package var imageRevision: Int64
}
