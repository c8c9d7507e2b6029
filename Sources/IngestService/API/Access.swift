// SPDX-License-Identifier: Apache-2.0

/// Who may use a route.
enum Access: Sendable {
    /// Anyone: liveness, readiness, the API's description, the form to log in by and its style.
    case open
    /// A program, by its ingest key.
    case ingestKey
    /// A person or script, by the project's admin token (Bearer, or Basic with the token as password).
    case adminToken
    /// A person on the page, by a session's cookie.
    case session
    /// From this machine, else by admin token.
    case loopbackOrToken
}
