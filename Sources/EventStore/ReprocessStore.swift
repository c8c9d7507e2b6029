// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Working on stored events again, after images, rules or the service itself have become better.
package protocol ReprocessStore: Sendable {
    /// Queues those of the events whose reports are kept, as if an image had come that they wait for. All in one
    /// transaction.
    func reprocess(_ events: EventSelection, project: Int64) throws(StoreError) -> Requeued
}

/// Some of a project's stored events.
package enum EventSelection: Hashable, Sendable {
    case event(String)
    case issue(Int64)
    /// Received then or later.
    case received(since: Timestamp)
}

/// What became of a selection.
package struct Requeued: Hashable, Sendable {
    package var selected: Int
    /// Of those: with a report, so that they wait to be worked on now.
    package var queued: Int
}
