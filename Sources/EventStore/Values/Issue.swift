// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// A group of events.
package struct Issue: Hashable, Sendable {
    package var id: Int64
    package var title: String
    package var culprit: String?
    package var type: String
    package var level: String
    package var status: IssueStatus
    /// What the status leaves open.
    package var terms: IssueTerms
    package var assignee: String?
    package var firstSeen: Timestamp
    package var lastSeen: Timestamp
    /// All that came.
    package var events: Int
    /// Those whose documents are kept.
    package var stored: Int
    /// Those that were counted only, for the issue had its minute's worth.
    package var countedOnly: Int
    package var users: Int
    package var releases: Int
    package var latestEvent: String?
    /// Its key rests on addresses, for symbols are missing.
    package var provisional: Bool
}

/// Who gave an issue its status, when, and until when it holds.
package struct IssueTerms: Hashable, Sendable {
    /// Nil where it is as it began.
    package var changedAt: Timestamp?
    package var changedBy: String?
    /// Of a resolved issue: the release with the change that mends it.
    package var resolvedIn: String?
    /// Of a resolved issue: the last release without that change.
    package var resolvedAfter: String?
    package var mutedUntil: Timestamp?
    /// Of a muted issue: how many events end that.
    package var muteEvents: Int?
    /// In milliseconds: in how long a time they must come.
    package var muteWindow: Int64?
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

/// Ids of the events beside one in its issue; nil at the ends.
package struct EventNeighbours: Hashable, Sendable {
    package var older: String?
    package var newer: String?
}

/// An event with its documents, still in the service's compression.
package struct StoredEvent: Sendable {
    package var summary: EventSummary
    package var document: [UInt8]
    package var grouping: [UInt8]
}

/// An event with its grouping record, still in the service's compression.
package struct EventGrouping: Sendable {
    package var summary: EventSummary
    package var record: [UInt8]
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
