// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// Ingest keys and tokens: made here, shown once, revoked.
extension SettingsSection {
    static let keys: Self = Self(
        name: "keys", title: "Ingest keys", readers: .admin, changers: .admin,
        content: { service, request, outcome in
            [
                tag(
                    "p", [],
                    "Programs send what they report with a key. It may do nothing else, and may lie in a program."),
                list(.ingest, try credentials(.ingest, service, request), request, outcome),
                tag("h2", [], "Make a key"), newKey.content(request, outcome),
            ]
        })

    static let tokens: Self = Self(
        name: "tokens", title: "Tokens", readers: .admin, changers: .admin,
        content: { service, request, outcome in
            [
                tag("p", [], "People and scripts use the API with a token, within its scopes."),
                list(.admin, try credentials(.admin, service, request), request, outcome),
                tag("h2", [], "Make a token"), newToken(request).content(request, outcome),
            ]
        })

    private static let naming = FormField(
        name: "name", label: "Name", hint: "For you: where it is used.", placeholder: "shop, production")
    private static let ending = FormField(
        name: "expires_in_days", label: "Days until it ends", kind: .number, hint: "Empty: it does not end by itself.")

    private static let newKey = SettingsForm(
        action: "/settings/keys", button: "Make the key", fields: [naming, ending])

    /// Nobody gives more than they may.
    private static func newToken(_ request: HTTPRequest) -> SettingsForm {
        let scopes = Permission.allCases.filter { request.caller?.may($0) == true }
        return SettingsForm(
            action: "/settings/tokens", button: "Make the token",
            fields: [
                naming,
                FormField(
                    name: "scopes", label: "What it may", kind: .boxes(scopes.map { ($0.rawValue, words($0)) })),
                ending,
            ])
    }

    private static func words(_ permission: Permission) -> String {
        switch permission {
        case .read: "read: issues, events and all that belongs to them"
        case .images: "images: read debug images, as gdb does"
        case .write: "write: decide about issues"
        case .upload: "upload: debug images, sources, commits"
        case .metrics: "metrics: the server's numbers"
        case .admin: "admin: all of this project, its settings too"
        case .server: "server: all of every project"
        }
    }

    static func addKey(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try keys.add(service, request, newKey, by: CredentialHandlers.addKey)
    }

    static func addToken(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try tokens.add(service, request, newToken(request), by: CredentialHandlers.addToken)
    }

    private func add(
        _ service: Service, _ request: HTTPRequest, _ form: SettingsForm, by handler: Route.Handler
    ) throws -> HTTPResponse {
        try act(service, request, action: form.action, by: handler, { try $0.set(json: form.body(of: request)) }) {
            let made = try ModelCoding.decode(JSONValue.self, from: $0)
            return Self.secret(made["secret"]?.string ?? "", "It was made.")
        }
    }

    /// What is shown once.
    static func secret(_ secret: String, _ words: String) -> HTML {
        tag(
            "div", [.className("notice"), HTML.Attribute("role", "status")],
            tag("p", [], .text(words + " Copy it now: it is shown this once.")), CopyButton.block("secret", secret))
    }

    static func revokeKey(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try keys.act(service, request, action: request.path, by: CredentialHandlers.revokeKey) { _ in }
    }

    static func revokeToken(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try tokens.act(service, request, action: request.path, by: CredentialHandlers.revokeToken) { _ in }
    }

    private static func credentials(
        _ kind: Credential.Kind, _ service: Service, _ request: HTTPRequest
    ) throws -> [OwnedCredential] {
        try service.store.credentials(project: request.requireProject().id, kind: kind)
    }

    private static func list(
        _ kind: Credential.Kind, _ all: [OwnedCredential], _ request: HTTPRequest, _ outcome: FormOutcome
    ) -> HTML {
        let noun = kind == .ingest ? "key" : "token"
        let rows = all.sorted { ($0.revokedAt == nil ? 0 : 1, -$0.id) < ($1.revokedAt == nil ? 0 : 1, -$1.id) }.map {
            one in
            PageTable.row(
                tag("code", [], .text(one.credential.prefix + "…")), .text(one.credential.name ?? "–"),
                kind == .ingest ? .nothing : .text(one.credential.scopes), Words.time(one.createdAt),
                one.credential.expires.map(Words.time) ?? "–",
                one.revokedAt.map { .group(["revoked ", Words.time($0)]) }
                    ?? SettingsForm(
                        action: "/settings/\(noun)s/\(one.id)/revoke", button: "Revoke",
                        caution: "What uses this \(noun) is refused from then on. That cannot be taken back."
                    ).content(request, outcome))
        }
        guard !rows.isEmpty else { return tag("p", [], .text("There is no \(noun) yet.")) }
        return PageTable(
            heads: ["Begins with", "Name"] + (kind == .ingest ? [""] : ["Scopes"]) + ["Made", "Ends", ""], rows: rows
        ).alone(named: kind == .ingest ? "Ingest keys" : "Tokens")
    }
}
