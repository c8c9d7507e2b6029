// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What people are told of.
package enum AlertKind: String, Sendable, CaseIterable, Codable {
    /// An issue that was not there before.
    case newIssue = "new_issue"
    /// A resolved issue came back.
    case regression
    /// An issue has many more events within an hour than it used to.
    case spike
    /// Fewer sessions of a release are free of crashes than is wanted.
    case crashFreeDrop = "crash_free_drop"
    /// There is more to tell than anybody reads.
    case more
    /// Somebody asked for it.
    case test

    /// Those that a target may choose.
    package static let chosen: [AlertKind] = [.newIssue, .regression, .spike, .crashFreeDrop]
}

/// Whom a project tells.
package struct AlertTarget: Hashable, Sendable {
    package enum Channel: String, Sendable, CaseIterable {
        /// A signed JSON document.
        case webhook
        /// A text, as Slack's incoming webhooks and those who speak like them take it.
        case slack
        case email
    }

    package var id: Int64
    package var project: Int64
    package var channel: Channel
    /// A URL, or an e-mail address.
    package var address: String
    package var kinds: Set<AlertKind>
    /// What webhooks are signed with.
    package var secret: String
    package var createdAt: Timestamp

    package init(
        id: Int64 = 0, project: Int64, channel: Channel, address: String, kinds: Set<AlertKind>, secret: String,
        createdAt: Timestamp
    ) {
        self.id = id
        self.project = project
        self.channel = channel
        self.address = address
        self.kinds = kinds
        self.secret = secret
        self.createdAt = createdAt
    }
}

/// Something to tell, before it is known whom.
package struct AlertSubject: Sendable {
    package var kind: AlertKind
    package var project: Int64
    package var issue: Int64?
    /// An alert of the same key is not told again.
    package var onceKey: String
    /// A line for people.
    package var title: String
    /// What else there is to say, by name.
    package var details: [String: JSONValue]
    package var at: Timestamp

    package init(
        kind: AlertKind, project: Int64, issue: Int64? = nil, onceKey: String, title: String,
        details: [String: JSONValue] = [:], at: Timestamp
    ) {
        self.kind = kind
        self.project = project
        self.issue = issue
        self.onceKey = onceKey
        self.title = title
        self.details = details
        self.at = at
    }
}

/// An alert on its way to one target, or what became of it.
package struct Alert: Sendable {
    package enum State: String, Sendable {
        case waiting, delivered
        /// It was tried for long enough, or the target took it for good as wrong.
        case givenUp = "given_up"
    }

    package var id: Int64
    package var target: AlertTarget
    package var project: Project
    package var kind: AlertKind
    package var issue: Int64?
    package var title: String
    package var details: [String: JSONValue]
    package var createdAt: Timestamp
    package var state: State
    package var attempts: Int
    /// When it is tried next; of one that is done, nothing.
    package var nextAt: Timestamp
    package var lastError: String?
}
