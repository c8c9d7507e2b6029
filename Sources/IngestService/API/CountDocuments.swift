// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// Events of an hour or day in the API.
struct CountDocument: Encodable {
    var start: Timestamp
    var events: Int

    init(_ count: EventCount) {
        start = count.start
        events = count.events
    }
}

/// A release, environment or user that an issue touched, in the API.
struct ValueDocument: Encodable {
    var value: String
    var events: Int
    var firstSeen: Timestamp
    var lastSeen: Timestamp

    init(_ value: IssueValue) {
        self.value = value.value
        events = value.events
        firstSeen = value.firstSeen
        lastSeen = value.lastSeen
    }

    enum CodingKeys: String, CodingKey {
        case value, events
        case firstSeen = "first_seen"
        case lastSeen = "last_seen"
    }
}

/// How a release's sessions of a day ended, in the API. The shares are null where there is nothing to share.
struct HealthDocument: Encodable {
    var release: String
    var day: String
    var sessions: Int
    var crashedSessions: Int
    var abnormalSessions: Int
    @ExplicitNull var crashFreeSessions: Double?
    var users: Int
    var crashedUsers: Int
    @ExplicitNull var crashFreeUsers: Double?

    init(_ health: ReleaseHealth) {
        release = health.release
        day = String(health.day.description.prefix { $0 != "T" })
        sessions = health.sessions
        crashedSessions = health.crashedSessions
        abnormalSessions = health.abnormalSessions
        crashFreeSessions = Self.share(health.crashedSessions, of: health.sessions)
        users = health.users
        crashedUsers = health.crashedUsers
        crashFreeUsers = Self.share(health.crashedUsers, of: health.users)
    }

    private static func share(_ crashed: Int, of all: Int) -> Double? {
        all == 0 ? nil : Double(all - crashed) / Double(all)
    }

    enum CodingKeys: String, CodingKey {
        case release, day, sessions, users
        case crashedSessions = "crashed_sessions"
        case abnormalSessions = "abnormal_sessions"
        case crashFreeSessions = "crash_free_sessions"
        case crashedUsers = "crashed_users"
        case crashFreeUsers = "crash_free_users"
    }
}
