// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// A project's ingest keys and tokens.
enum CredentialHandlers {
    static let longestDays: Int64 = 3650

    static func keys(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try list(.ingest, "keys", service, request)
    }

    static func tokens(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try list(.admin, "tokens", service, request)
    }

    private static func list(
        _ kind: Credential.Kind, _ name: String, _ service: Service, _ request: HTTPRequest
    ) throws -> HTTPResponse {
        let all = try service.store.credentials(project: request.requireProject().id, kind: kind)
        return try .json(ListDocument(name: name, items: all.map { CredentialDocument($0) }, next: nil))
    }

    static func addKey(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let fields = try RequestFields(request, allowed: ["name", "expires_in_days"])
        return try add(Secrets.makeKey(), .ingest, scopes: [], fields, service, request)
    }

    static func addToken(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let fields = try RequestFields(request, allowed: ["name", "scopes", "expires_in_days"])
        let words = try fields.texts("scopes", most: Permission.allCases.count) ?? []
        let scopes = words.compactMap { Permission(rawValue: $0) }
        guard !scopes.isEmpty, scopes.count == words.count else {
            throw RequestFields.wrong(
                "scopes", "must be a list of \(Permission.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        if let wide = scopes.first(where: { request.caller?.may($0) != true }) {
            throw APIError(403, "scope_too_wide", "nobody gives more than they may: \"\(wide.rawValue)\"")
        }
        return try add(Secrets.makeToken(), .admin, scopes: scopes, fields, service, request)
    }

    private static func add(
        _ secret: String, _ kind: Credential.Kind, scopes: [Permission], _ fields: RequestFields, _ service: Service,
        _ request: HTTPRequest
    ) throws -> HTTPResponse {
        let days = try fields.integer("expires_in_days", in: 1...longestDays)
        let added = try service.store.addCredential(
            Secrets.credential(
                kind, secret, name: try fields.text("name"), scopes: scopes,
                expires: days.map { Timestamp(milliseconds: service.store.now.milliseconds + $0 * 86_400_000) }),
            project: request.requireProject().id)
        var response = try HTTPResponse.json(CredentialDocument(added, secret: secret), status: 201)
        response.subject = Caller.name(of: added)
        return response
    }

    static func revokeKey(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try revoke(.ingest, service, request)
    }

    static func revokeToken(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try revoke(.admin, service, request)
    }

    private static func revoke(
        _ kind: Credential.Kind, _ service: Service, _ request: HTTPRequest
    ) throws -> HTTPResponse {
        let text = request.parameters["id"] ?? ""
        let project = try request.requireProject().id
        if case .token(let own)? = request.caller?.kind, kind == .admin, text == String(own.id) {
            throw APIError(409, "own_token", "a token does not revoke itself; use another one")
        }
        guard let id = Int64(text),
            try service.store.revokeCredential(id: id, project: project, kind: kind, now: service.store.now),
            let revoked = try service.store.credentials(project: project, kind: kind).first(where: { $0.id == id })
        else {
            throw APIError.notFound("this project has none of the number \(text.prefix(40)) that is in force")
        }
        var response = try HTTPResponse.json(CredentialDocument(revoked))
        response.subject = Caller.name(of: revoked)
        return response
    }
}
