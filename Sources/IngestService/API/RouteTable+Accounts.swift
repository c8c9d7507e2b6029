// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

extension RouteTable {
    private static let users = "/api/v1/users"

    private static let name = RouteField(
        name: "name", schema: ["type": "string", "pattern": .string(AccountNames.userPattern)], isRequired: true)
    private static let password = RouteField(
        name: "password",
        schema: [
            "type": "string", "minLength": .integer(Int64(Passwords.lengths.lowerBound)),
            "maxLength": .integer(Int64(Passwords.lengths.upperBound)),
        ])
    private static let serverAdmin = RouteField(name: "server_admin", schema: Shape.truth)
    private static let disabled = RouteField(name: "disabled", schema: Shape.truth)
    private static let days = RouteField.integer("expires_in_days", 1...CredentialHandlers.longestDays)
    private static let scopes = RouteField(
        name: "scopes",
        schema: [
            "type": "array", "minItems": 1, "maxItems": .integer(Int64(Permission.allCases.count)),
            "items": ["type": "string", "enum": .array(Permission.allCases.map { .string($0.rawValue) })],
        ], isRequired: true)

    /// Users, projects, their keys and tokens, and what was done.
    static let accounts: [Route] = [
        Route(
            method: "GET", pattern: "/api/v1/projects", access: .token(.read),
            summary: "The projects that the token may see.", handler: ProjectHandlers.list),
        Route(
            method: "POST", pattern: "/api/v1/projects", access: .token(.server), body: .json,
            summary: "Makes a project with an ingest key.",
            fields: [
                RouteField(
                    name: "name", schema: ["type": "string", "pattern": .string(AccountNames.projectPattern)],
                    isRequired: true)
            ], handler: ProjectHandlers.add),
        Route(
            method: "GET", pattern: project + "/keys", access: .token(.admin),
            summary: "Ingest keys, without their secrets.", handler: CredentialHandlers.keys),
        Route(
            method: "POST", pattern: project + "/keys", access: .token(.admin), body: .json,
            summary: "Makes an ingest key; the answer alone has its secret.", fields: [.text("name"), days],
            handler: CredentialHandlers.addKey),
        Route(
            method: "DELETE", pattern: project + "/keys/{id}", access: .token(.admin),
            summary: "Revokes an ingest key.", handler: CredentialHandlers.revokeKey),
        Route(
            method: "GET", pattern: project + "/tokens", access: .token(.admin),
            summary: "Tokens, without their secrets.", handler: CredentialHandlers.tokens),
        Route(
            method: "POST", pattern: project + "/tokens", access: .token(.admin), body: .json,
            summary: "Makes a token with scopes; the answer alone has its secret.",
            fields: [.text("name"), scopes, days], handler: CredentialHandlers.addToken),
        Route(
            method: "DELETE", pattern: project + "/tokens/{id}", access: .token(.admin),
            summary: "Revokes a token, and ends the sessions that it opened.",
            handler: CredentialHandlers.revokeToken),
        Route(
            method: "GET", pattern: project + "/members", access: .token(.admin),
            summary: "Users with a part in the project.", handler: UserHandlers.members),
        Route(
            method: "PUT", pattern: project + "/members/{name}", access: .token(.admin), body: .json,
            summary: "Gives a user a part in the project.",
            fields: [RouteField.choice("role", Role.allCases.map(\.rawValue)).needed], handler: UserHandlers.setRole),
        Route(
            method: "DELETE", pattern: project + "/members/{name}", access: .token(.admin),
            summary: "Takes a user's part in the project away.", handler: UserHandlers.removeMember),
        Route(
            method: "GET", pattern: project + "/audit-log", access: .token(.admin),
            summary: "Who did what in the project, when and from where, newest first.", query: ["cursor", "limit"],
            handler: ProjectHandlers.auditLog),
        Route(
            method: "GET", pattern: "/api/v1/audit-log", access: .token(.server),
            summary: "The same of the whole server, logins too.", query: ["cursor", "limit"],
            handler: ProjectHandlers.wholeAuditLog),
        Route(
            method: "GET", pattern: users, access: .token(.server), summary: "Users.", handler: UserHandlers.list),
        Route(
            method: "POST", pattern: users, access: .token(.server), body: .json,
            summary: "Adds a user; without a password the answer has one.", fields: [name, password, serverAdmin],
            handler: UserHandlers.add),
        Route(
            method: "PATCH", pattern: users + "/{name}", access: .token(.server), body: .json,
            summary: "Changes a user's password or rights, or shuts the user out.",
            combinations: [
                [password.needed, serverAdmin, disabled], [password, serverAdmin.needed, disabled],
                [password, serverAdmin, disabled.needed],
            ], handler: UserHandlers.change),
        Route(
            method: "DELETE", pattern: users + "/{name}", access: .token(.server), summary: "Removes a user.",
            handler: UserHandlers.remove),
        Route(
            method: "DELETE", pattern: users + "/{name}/sessions", access: .token(.server),
            summary: "Ends a user's sessions.", handler: UserHandlers.endSessions),
    ]

    /// What people do with their own account.
    static let accountPages: [Route] = [
        Route(
            method: "GET", pattern: "/projects", access: .session(nil), summary: "The page: projects to choose from.",
            handler: AccountPageHandlers.projects, answer: .page),
        Route(
            method: "POST", pattern: "/projects", access: .session(nil), body: .form,
            summary: "The page: shows another project.", handler: AccountPageHandlers.choose, answer: .page),
        Route(
            method: "GET", pattern: "/account", access: .session(nil), summary: "The page: one's own account.",
            handler: AccountPageHandlers.account, answer: .page),
        Route(
            method: "POST", pattern: "/account/password", access: .session(nil), body: .form,
            summary: "The page: changes one's own password.", handler: AccountPageHandlers.setPassword, answer: .page),
    ]
}
