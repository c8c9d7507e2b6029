// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What is split off.
package enum IssuePart: Sendable {
    /// Events by their ids. A key goes with them where no other event of the issue bears it.
    case events([String])
    /// Keys, with all events that bear them.
    case keys([IssueKey])
}

/// A merge, a split, or a fold that the service did.
package struct IssueMove: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case merge, split, fold
    }

    package var id: Int64
    package var kind: Kind
    package var source: Int64
    package var target: Int64
    package var at: Timestamp
    package var by: String
    package var undoneAt: Timestamp?
}

/// What came of a move that was asked for.
package enum MoveResult: Hashable, Sendable {
    /// Its number, and the issue that has the events now.
    case done(move: Int64, issue: Int64)
    case notFound(String)
    /// It cannot be done, for the reason told.
    case refused(String)
}

/// A key of an issue, and how many of its stored events have it as their primary one.
package struct IssueKeyUse: Hashable, Sendable {
    package var key: IssueKey
    package var version: Int
    package var events: Int
}
