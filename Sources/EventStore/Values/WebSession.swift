// SPDX-License-Identifier: Apache-2.0

/// Who logs in: a user, or somebody with a token.
package enum SessionOwner: Hashable, Sendable {
    case user(Int64)
    case credential(Int64)
}

/// A person's session on the page, with what its owner may at the moment.
package struct WebSession: Sendable {
    package enum Owner: Sendable {
        /// The role is that in the session's project; nil is none.
        case user(User, Role?)
        case credential(OwnedCredential)
    }

    package var owner: Owner
    /// The one that the pages show.
    package var project: Project
}
