// SPDX-License-Identifier: Apache-2.0

/// How much may come, in a minute each. Nil is no limit.
package struct RateLimits: Hashable, Sendable {
    /// Items of a project.
    package var projectItems: Int?
    /// Items sent with one key.
    package var keyItems: Int?
    /// Events of one issue that are stored; the others are counted only.
    package var issueEvents: Int?

    package init(projectItems: Int? = nil, keyItems: Int? = nil, issueEvents: Int? = nil) {
        self.projectItems = projectItems
        self.keyItems = keyItems
        self.issueEvents = issueEvents
    }

    /// What a project sets: nil is as the server's options say, 0 is no limit.
    package func overridden(by own: RateLimits) -> RateLimits {
        RateLimits(
            projectItems: OwnLimit.choose(own.projectItems, projectItems),
            keyItems: OwnLimit.choose(own.keyItems, keyItems),
            issueEvents: OwnLimit.choose(own.issueEvents, issueEvents))
    }
}
