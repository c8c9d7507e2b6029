// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// How much is kept. Nil is no limit.
package struct Retention: Hashable, Sendable {
    /// Days since events came, and since sessions began.
    package var days: Int?
    /// Events of one issue.
    package var issueEvents: Int?
    /// Events of the project.
    package var events: Int?

    package init(days: Int? = nil, issueEvents: Int? = nil, events: Int? = nil) {
        self.days = days
        self.issueEvents = issueEvents
        self.events = events
    }

    /// What a project sets: nil is as the server's options say, 0 is no limit.
    package func overridden(by own: Retention) -> Retention {
        Retention(
            days: OwnLimit.choose(own.days, days), issueEvents: OwnLimit.choose(own.issueEvents, issueEvents),
            events: OwnLimit.choose(own.events, events))
    }
}

/// A limit that a project may set for itself.
enum OwnLimit {
    static func choose(_ own: Int?, _ usual: Int?) -> Int? {
        let chosen = own ?? usual
        return chosen == 0 ? nil : chosen
    }
}

/// How many events are stored of those that came.
package struct KeptEvents: Hashable, Sendable {
    package var stored: Int
    package var all: Int
}

/// An issue with more stored events than it may have.
package struct CrowdedIssue: Hashable, Sendable {
    package var issue: Int64
    package var stored: Int
}

/// Which events are looked at.
package enum EventChoice: Hashable, Sendable {
    /// Those of a project that came before a time.
    case received(before: Timestamp, project: Int64)
    /// All of a project.
    case all(project: Int64)
    /// Those of every project.
    case everywhere
    case ofIssue(Int64)
}

/// An event that may be removed.
package struct RemovableEvent: Hashable, Sendable {
    package var row: Int64
    package var receivedAt: Timestamp
}

/// What is kept for a time, beside events.
package enum PassingRecords: Hashable, Sendable {
    /// Ids by which items that are sent again are known.
    case acceptedItems(before: Timestamp)
    /// Items of kinds that have no table.
    case otherItems(before: Timestamp, project: Int64)
    case otherItemsBeyond(most: Int, project: Int64)
    /// Builds whose first crash was kept.
    case builds(before: Timestamp, project: Int64)
    case buildsBeyond(most: Int, project: Int64)
    case sessions(before: Timestamp, project: Int64)
    /// Network records.
    case exchanges(before: Timestamp, project: Int64)
    case exchangesBeyond(most: Int, project: Int64)
    /// What sessions could tell of.
    case capabilities(before: Timestamp, project: Int64)
    case capabilitiesBeyond(most: Int, project: Int64)
    case diagnostics(before: Timestamp, project: Int64)
    case diagnosticsBeyond(most: Int, project: Int64)
    /// Parts of screen recordings.
    case recordings(before: Timestamp, project: Int64)
    case recordingsBeyond(most: Int, project: Int64)
    /// Attachments, recordings and hang ends whose event is not stored.
    case looseParts(before: Timestamp)
    /// Reports that wait for images, with the captured memory.
    case reports(before: Timestamp)
    /// What events wait for, sources included.
    case waiting(before: Timestamp)
}
