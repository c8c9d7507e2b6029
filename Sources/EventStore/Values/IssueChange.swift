// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What an issue is to those who look after it.
package enum IssueStatus: String, Sendable, CaseIterable {
    case open
    case resolved
    /// Resolved, and seen again where it should be mended.
    case regressed
    case muted
}

/// What a person does with an issue.
package enum IssueChange: Hashable, Sendable {
    case open
    case resolve(Resolution)
    case mute(Mute)
    /// Nil takes it from whoever had it.
    case assign(String?)
    case comment(String)

    /// Since when events of the issue are a regression.
    package enum Resolution: Hashable, Sendable {
        /// Events that happen from now on.
        case now
        /// Events of this release and later ones.
        case inRelease(String)
        /// Events of releases later than this one.
        case afterRelease(String)
    }

    /// For how long nobody wants to hear of it.
    package enum Mute: Hashable, Sendable {
        case forever
        case until(Timestamp)
        /// Until so many events come within so many milliseconds.
        case events(Int, window: Int64)
    }
}

/// One entry of an issue's history.
package struct IssueHistoryEntry: Hashable, Sendable {
    package enum Change: String, Sendable {
        case opened, resolved, regressed, muted, assigned, commented, folded, merged, split, undone
    }

    package var id: Int64
    package var at: Timestamp
    /// As the caller named itself; `vaka` for what the service did.
    package var by: String
    package var change: String
    /// The comment, the assignee, or the release or term of the change.
    package var text: String?
    /// Whose history it is: also of an issue that went into the one asked for.
    package var issue: Int64
    /// The other one of a fold, merge or split.
    package var otherIssue: Int64?
    /// What caused it.
    package var event: String?
}
