// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// A project's limits in the API.
struct LimitsDocument: Encodable {
    struct Rates: Encodable {
        @ExplicitNull var projectItems: Int?
        @ExplicitNull var keyItems: Int?
        @ExplicitNull var issueEvents: Int?

        init(_ limits: RateLimits) {
            projectItems = limits.projectItems
            keyItems = limits.keyItems
            issueEvents = limits.issueEvents
        }

        enum CodingKeys: String, CodingKey {
            case projectItems = "project_items"
            case keyItems = "key_items"
            case issueEvents = "issue_events"
        }
    }

    struct Keep: Encodable {
        @ExplicitNull var days: Int?
        @ExplicitNull var issueEvents: Int?
        @ExplicitNull var events: Int?

        init(_ retention: Retention) {
            days = retention.days
            issueEvents = retention.issueEvents
            events = retention.events
        }

        enum CodingKeys: String, CodingKey {
            case days, events
            case issueEvents = "issue_events"
        }
    }

    struct Kept: Encodable {
        /// Events that are stored, of all that came.
        var events: Int
        var of: Int
    }

    struct Disk: Encodable {
        /// Of the whole server; null is no bound.
        @ExplicitNull var budget: UInt64?
        var used: UInt64
        /// Nothing more is taken.
        var isExhausted: Bool

        init(_ disk: DiskBudget) {
            budget = disk.budget
            used = disk.used
            isExhausted = disk.isExhausted
        }

        enum CodingKeys: String, CodingKey {
            case budget, used
            case isExhausted = "exhausted"
        }
    }

    struct TurnedAway: Encodable {
        var since: Timestamp
        var batches: Int
        var items: Int
    }

    /// In a minute, as they hold; null is no limit.
    var perMinute: Rates
    /// As the project set them; null is as the server's options say, 0 is no limit.
    var own: Rates
    /// What is kept, as it holds and as the project set it, likewise.
    var keep: Keep
    var ownKeep: Keep
    var kept: Kept
    var disk: Disk
    var turnedAway: TurnedAway

    enum CodingKeys: String, CodingKey {
        case perMinute = "per_minute"
        case own, keep, kept, disk
        case ownKeep = "own_keep"
        case turnedAway = "turned_away"
    }
}
