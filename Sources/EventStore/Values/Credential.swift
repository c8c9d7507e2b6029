// SPDX-License-Identifier: Apache-2.0

/// A key or token as it is kept: never the secret itself.
package struct Credential: Sendable {
    package enum Kind: String, Sendable {
        /// `vk_…`: may send.
        case ingest
        /// `va_…`: may read and change the project.
        case admin
    }

    package var kind: Kind
    /// The first characters, by which it is found and shown.
    package var prefix: String
    package var hash: [UInt8]

    package init(kind: Kind, prefix: String, hash: [UInt8]) {
        self.kind = kind
        self.prefix = prefix
        self.hash = hash
    }
}

/// A credential and whose it is.
package struct OwnedCredential: Sendable {
    package var credential: Credential
    package var project: Project
}
