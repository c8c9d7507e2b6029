// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// A group of events.
package struct Issue: Hashable, Sendable {
    package var id: Int64
    package var title: String
    package var culprit: String?
    package var type: String
    package var level: String
    package var status: String
    package var firstSeen: Timestamp
    package var lastSeen: Timestamp
    package var events: Int
    package var latestEvent: String?
    /// Its key rests on addresses, for symbols are missing.
    package var provisional: Bool
}

/// What lists show of an event.
package struct EventSummary: Hashable, Sendable {
    package var row: Int64
    package var eventID: String
    package var issue: Int64
    package var type: String
    package var level: String
    package var timestamp: Timestamp
    package var receivedAt: Timestamp
    package var release: String?
    package var environment: String?
    package var title: String
    package var memory: MemoryState
}

/// An event with its documents, still in the service's compression.
package struct StoredEvent: Sendable {
    package var summary: EventSummary
    package var document: [UInt8]
    package var grouping: [UInt8]
}

/// A version of the program and what is known of it.
package struct Release: Hashable, Sendable {
    package var name: String
    package var events: Int
    package var crashes: Int
    package var sessions: Int
    package var crashedSessions: Int
    package var firstSeen: Timestamp?
    package var lastSeen: Timestamp?
}
