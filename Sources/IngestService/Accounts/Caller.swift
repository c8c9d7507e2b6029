// SPDX-License-Identifier: Apache-2.0
import EventStore

/// Who asks, and what they may in the project that the request is about.
struct Caller: Sendable {
    enum Kind: Sendable {
        case key
        case token(OwnedCredential)
        case user(User)
        /// From this machine, without more.
        case local
    }

    var kind: Kind
    var permissions: Set<Permission>

    /// As the audit log has it.
    var name: String {
        switch kind {
        case .key: "key"
        case .token(let token): Self.name(of: token)
        case .user(let user): user.name
        case .local: "local"
        }
    }

    /// A person's; nil where a token stands for one.
    var userName: String? {
        if case .user(let user) = kind { user.name } else { nil }
    }

    /// The token's name, or what it begins with.
    static func name(of token: OwnedCredential) -> String {
        token.credential.prefix + "…" + (token.credential.name.map { " (\($0))" } ?? "")
    }

    func may(_ permission: Permission) -> Bool { permissions.contains(permission) }
}
