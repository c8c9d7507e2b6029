// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// A key or token as it is kept: never the secret itself.
package struct Credential: Sendable {
    package enum Kind: String, Sendable {
        /// `vk_…`: may send.
        case ingest
        /// `va_…`: may what its scopes say.
        case admin
    }

    package var kind: Kind
    /// The first characters, by which it is found and shown.
    package var prefix: String
    package var hash: [UInt8]
    /// What people call it.
    package var name: String?
    /// Of a token: words of ``Permission`` with spaces between them.
    package var scopes: String
    /// Nil is never.
    package var expires: Timestamp?

    package init(
        kind: Kind, prefix: String, hash: [UInt8], name: String? = nil, scopes: String = "", expires: Timestamp? = nil
    ) {
        self.kind = kind
        self.prefix = prefix
        self.hash = hash
        self.name = name
        self.scopes = scopes
        self.expires = expires
    }
}

/// A credential and whose it is.
package struct OwnedCredential: Sendable {
    package var id: Int64
    package var credential: Credential
    package var project: Project
    package var createdAt: Timestamp
    package var revokedAt: Timestamp?

    package func isValid(at now: Timestamp) -> Bool {
        revokedAt == nil && credential.expires.map { now < $0 } ?? true
    }
}
