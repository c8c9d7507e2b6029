// SPDX-License-Identifier: Apache-2.0
import EventStore

/// Who may use a route.
enum Access: Sendable, Hashable {
    /// Anyone: liveness, readiness, the API's description, the form to log in by and its style.
    case open
    /// A program, by its ingest key.
    case ingestKey
    /// A person or script, by a token that gives the permission (Bearer, or Basic with the token as password).
    case token(Permission)
    /// A person on the page, by a session's cookie; nil: whatever they may.
    case session(Permission?)
    /// From this machine, else by a token that may read the server's numbers.
    case loopbackOrToken

    var isSession: Bool {
        if case .session = self { true } else { false }
    }

    /// What the caller must be permitted, where it is one thing.
    var permission: Permission? {
        switch self {
        case .token(let permission): permission
        case .session(let permission): permission
        case .loopbackOrToken: .metrics
        case .open, .ingestKey: nil
        }
    }
}
