// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// A key or token in the API.
struct CredentialDocument: Encodable {
    var id: Int64
    var prefix: String
    @ExplicitNull var name: String?
    var scopes: [String]
    var createdAt: Timestamp
    @ExplicitNull var expiresAt: Timestamp?
    @ExplicitNull var revokedAt: Timestamp?
    /// Where it was just made; never again.
    var secret: String?

    init(_ owned: OwnedCredential, secret: String? = nil) {
        id = owned.id
        prefix = owned.credential.prefix
        name = owned.credential.name
        scopes = owned.credential.scopes.split(separator: " ").map(String.init)
        createdAt = owned.createdAt
        expiresAt = owned.credential.expires
        revokedAt = owned.revokedAt
        self.secret = secret
    }

    enum CodingKeys: String, CodingKey {
        case id, prefix, name, scopes, secret
        case createdAt = "created_at"
        case expiresAt = "expires_at"
        case revokedAt = "revoked_at"
    }
}

/// A user in the API.
struct UserDocument: Encodable {
    var name: String
    var serverAdmin: Bool
    var disabled: Bool
    var createdAt: Timestamp
    /// Where the server just chose it; never again.
    var password: String?

    init(_ user: User, password: String? = nil) {
        name = user.name
        serverAdmin = user.isServerAdmin
        disabled = user.isDisabled
        createdAt = user.createdAt
        self.password = password
    }

    enum CodingKeys: String, CodingKey {
        case name, disabled, password
        case serverAdmin = "server_admin"
        case createdAt = "created_at"
    }
}

/// A user's part in a project in the API.
struct MemberDocument: Encodable {
    var user: String
    var role: String

    init(_ member: Member) {
        user = member.user
        role = member.role.rawValue
    }
}

/// A project in the API.
struct ProjectDocument: Encodable {
    var name: String
    /// Where it was just made; never again.
    var ingestKey: String?

    enum CodingKeys: String, CodingKey {
        case name
        case ingestKey = "ingest_key"
    }
}

/// What was done, in the API.
struct AuditDocument: Encodable {
    var id: Int64
    var at: Timestamp
    var actor: String
    var action: String
    @ExplicitNull var target: String?
    @ExplicitNull var project: String?
    @ExplicitNull var address: String?

    init(_ entry: AuditEntry, projects: [Int64: String]) {
        id = entry.id
        at = entry.at
        actor = entry.actor
        action = entry.action
        target = entry.target
        project = entry.project.flatMap { projects[$0] }
        address = entry.address
    }
}
