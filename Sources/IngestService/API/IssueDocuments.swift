// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// An issue in the API.
struct IssueDocument: Encodable {
    var id: Int64
    var title: String
    @ExplicitNull var culprit: String?
    var type: String
    var level: String
    var status: String
    @ExplicitNull var statusChangedAt: Timestamp?
    @ExplicitNull var statusChangedBy: String?
    @ExplicitNull var resolvedIn: String?
    @ExplicitNull var resolvedAfter: String?
    @ExplicitNull var mutedUntil: Timestamp?
    @ExplicitNull var muteEvents: Int?
    @ExplicitNull var muteWindow: Int64?
    @ExplicitNull var assignee: String?
    var firstSeen: Timestamp
    var lastSeen: Timestamp
    var events: Int
    var eventsKept: Int
    var eventsCountedOnly: Int
    var users: Int
    var releases: Int
    @ExplicitNull var latestEventID: String?
    var provisional: Bool

    init(_ issue: Issue) {
        id = issue.id
        title = issue.title
        culprit = issue.culprit
        type = issue.type
        level = issue.level
        status = issue.status.rawValue
        statusChangedAt = issue.terms.changedAt
        statusChangedBy = issue.terms.changedBy
        resolvedIn = issue.terms.resolvedIn
        resolvedAfter = issue.terms.resolvedAfter
        mutedUntil = issue.terms.mutedUntil
        muteEvents = issue.terms.muteEvents
        muteWindow = issue.terms.muteWindow.map { $0 / 1000 }
        assignee = issue.assignee
        firstSeen = issue.firstSeen
        lastSeen = issue.lastSeen
        events = issue.events
        eventsKept = issue.stored
        eventsCountedOnly = issue.countedOnly
        users = issue.users
        releases = issue.releases
        latestEventID = issue.latestEvent
        provisional = issue.provisional
    }

    enum CodingKeys: String, CodingKey {
        case id, title, culprit, type, level, status, assignee, events, users, releases, provisional
        case eventsKept = "events_kept"
        case eventsCountedOnly = "events_counted_only"
        case statusChangedAt = "status_changed_at"
        case statusChangedBy = "status_changed_by"
        case resolvedIn = "resolved_in"
        case resolvedAfter = "resolved_after"
        case mutedUntil = "muted_until"
        case muteEvents = "mute_events"
        case muteWindow = "mute_window_s"
        case firstSeen = "first_seen"
        case lastSeen = "last_seen"
        case latestEventID = "latest_event_id"
    }
}

/// An event in a list.
struct EventListDocument: Encodable {
    var eventID: String
    var issueID: Int64
    var type: String
    var level: String
    var timestamp: Timestamp
    var receivedAt: Timestamp
    @ExplicitNull var release: String?
    @ExplicitNull var environment: String?
    var title: String
    var memory: String

    init(_ event: EventSummary) {
        eventID = event.eventID
        issueID = event.issue
        type = event.type
        level = event.level
        timestamp = event.timestamp
        receivedAt = event.receivedAt
        release = event.release
        environment = event.environment
        title = event.title
        memory = event.memory.rawValue
    }

    enum CodingKeys: String, CodingKey {
        case eventID = "event_id"
        case issueID = "issue_id"
        case receivedAt = "received_at"
        case type, level, timestamp, release, environment, title, memory
    }
}

/// A release in the API.
struct ReleaseDocument: Encodable {
    var release: String
    var events: Int
    var crashes: Int
    var sessions: Int
    var crashedSessions: Int
    /// Served in all sessions, by outcome.
    var requests: [String: Int64]
    @ExplicitNull var firstSeen: Timestamp?
    @ExplicitNull var lastSeen: Timestamp?

    init(_ release: Release, requests: [String: Int64]) {
        self.requests = requests
        self.release = release.name
        events = release.events
        crashes = release.crashes
        sessions = release.sessions
        crashedSessions = release.crashedSessions
        firstSeen = release.firstSeen
        lastSeen = release.lastSeen
    }

    enum CodingKeys: String, CodingKey {
        case release, events, crashes, sessions, requests
        case crashedSessions = "crashed_sessions"
        case firstSeen = "first_seen"
        case lastSeen = "last_seen"
    }
}

/// A part of a list, under the name of what it lists.
struct ListDocument<Element: Encodable>: Encodable {
    var name: String
    var items: [Element]
    var next: Cursor?

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(items, forKey: Key(name))
        try container.encode(next?.text, forKey: Key("next_cursor"))
    }
}
