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
            projectItems: Self.choose(own.projectItems, projectItems), keyItems: Self.choose(own.keyItems, keyItems),
            issueEvents: Self.choose(own.issueEvents, issueEvents))
    }

    private static func choose(_ own: Int?, _ usual: Int?) -> Int? {
        let chosen = own ?? usual
        return chosen == 0 ? nil : chosen
    }
}
