// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// A person with a name and a password.
package struct User: Hashable, Sendable {
    package var id: Int64
    /// In lowercase.
    package var name: String
    /// May do everything in every project.
    package var isServerAdmin: Bool
    package var isDisabled: Bool
    package var createdAt: Timestamp
}

/// What changes of a user; nil stays.
package struct UserChange: Sendable {
    /// The new password's hash. It ends the user's sessions.
    package var passwordHash: String?
    package var isServerAdmin: Bool?
    package var isDisabled: Bool?

    package init(passwordHash: String? = nil, isServerAdmin: Bool? = nil, isDisabled: Bool? = nil) {
        self.passwordHash = passwordHash
        self.isServerAdmin = isServerAdmin
        self.isDisabled = isDisabled
    }
}

/// A user's part in a project.
package struct Member: Hashable, Sendable {
    package var user: String
    package var role: Role

    package init(user: String, role: Role) {
        self.user = user
        self.role = role
    }
}
