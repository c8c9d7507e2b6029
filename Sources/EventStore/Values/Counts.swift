// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// How long the parts are into which time is cut, in UTC.
package enum CountUnit: String, Sendable, CaseIterable {
    case hour
    case day

    package var milliseconds: Int64 { self == .hour ? 3_600_000 : 86_400_000 }
}

/// Events that happened in one hour or day.
package struct EventCount: Hashable, Sendable {
    package var start: Timestamp
    package var events: Int

    package init(start: Timestamp, events: Int) {
        self.start = start
        self.events = events
    }
}

/// Events of one release on one day.
package struct ReleaseDay: Hashable, Sendable {
    package var release: String?
    package var day: Timestamp
    package var events: Int
}

/// A release, environment or user that an issue touched.
package struct IssueValue: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case release, environment, user
    }

    package var value: String
    package var events: Int
    package var firstSeen: Timestamp
    package var lastSeen: Timestamp
}

/// How the sessions of a release that began on one day ended.
package struct ReleaseHealth: Hashable, Sendable {
    package var release: String
    package var day: Timestamp
    package var sessions: Int
    package var crashedSessions: Int
    package var abnormalSessions: Int
    /// Installations, for sessions name no user.
    package var users: Int
    package var crashedUsers: Int
}

/// What a release brought.
package struct ReleaseIssues: Hashable, Sendable {
    package var new = 0
    package var regressed = 0

    package init() {}
}
