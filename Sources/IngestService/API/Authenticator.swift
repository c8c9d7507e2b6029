// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// Decides whether a request may use a route.
struct Authenticator: Sendable {
    static let sessionCookie = "vaka_session"
    let store: any EventStore
    /// Ingest keys, by their hash.
    var known = Recent<[UInt8], OwnedCredential>(lasting: .seconds(1))

    /// Who asks, and the project they act in.
    struct Admission {
        var caller: Caller
        /// Nil for one from this machine.
        var project: Project?
    }

    /// Nil on open routes.
    func permit(_ access: Access, _ request: HTTPRequest) throws(APIError) -> Admission? {
        switch access {
        case .open:
            return nil
        case .ingestKey:
            let key = try credential(.ingest, request)
            return Admission(caller: Caller(kind: .key, permissions: []), project: key.project)
        case .token(let permission):
            return try token(permission, request)
        case .loopbackOrToken:
            guard !request.fromLoopback else {
                return Admission(caller: Caller(kind: .local, permissions: [.metrics]), project: nil)
            }
            return try token(.metrics, request)
        case .session(let permission):
            return try SessionGate(store: store).permit(permission, request)
        }
    }

    /// A token of this server that is in force; nil for all else.
    func token(_ secret: String) throws(APIError) -> OwnedCredential? {
        try find(.admin, secret)
    }

    private func token(_ permission: Permission, _ request: HTTPRequest) throws(APIError) -> Admission {
        let token = try credential(.admin, request)
        let caller = Caller(kind: .token(token), permissions: Permission.set(of: token.credential.scopes))
        let project = try project(of: token, caller, request)
        guard caller.may(permission) else {
            throw APIError(
                403, "missing_scope",
                "this token may \(token.credential.scopes.isEmpty ? "nothing" : token.credential.scopes); this address takes "
                    + "one with the scope \"\(permission.rawValue)\"")
        }
        return Admission(caller: caller, project: project)
    }

    /// The one that the address names, where the token may see it.
    private func project(
        of token: OwnedCredential, _ caller: Caller, _ request: HTTPRequest
    ) throws(APIError) -> Project {
        guard let wanted = request.parameters["p"], wanted != token.project.slug else { return token.project }
        guard caller.may(.server) else {
            throw APIError(
                403, "wrong_project",
                "this token is of the project \"\(token.project.slug)\"; use that name in the address, or another token"
            )
        }
        let found = try store.reading { (store) throws(StoreError) in try store.project(slug: wanted) }
        guard let found else { throw APIError.notFound("there is no project \"\(wanted.prefix(80))\"") }
        return found
    }

    private func credential(_ kind: Credential.Kind, _ request: HTTPRequest) throws(APIError) -> OwnedCredential {
        let wanted = kind == .ingest ? "an ingest key (vk_…)" : "a token (va_…)"
        guard let secret = Self.secret(request) else {
            throw unauthorized("missing_credentials", "send \(wanted) as \"Authorization: Bearer …\"")
        }
        let other = kind == .ingest ? "va_" : "vk_"
        if secret.hasPrefix(other) {
            throw APIError(403, "wrong_kind_of_key", "this address takes \(wanted), not \(other)…")
        }
        guard let credential = try find(kind, secret) else {
            throw unauthorized(
                "invalid_credentials",
                "not known here, expired or revoked: send \(wanted) of this server; its first start wrote them to "
                    + "credentials.json")
        }
        return credential
    }

    private func find(_ kind: Credential.Kind, _ secret: String) throws(APIError) -> OwnedCredential? {
        let hash = Secrets.hash(secret)
        guard kind == .ingest else { return try find(kind, secret, hash) }
        let key = try known.value(hash) { () throws(APIError) in try find(kind, secret, hash) }
        return key.flatMap { $0.isValid(at: store.now) ? $0 : nil }
    }

    private func find(_ kind: Credential.Kind, _ secret: String, _ hash: [UInt8]) throws(APIError) -> OwnedCredential? {
        let prefix = String(secret.prefix(Secrets.prefixLength))
        let candidates = try store.reading { (store) throws(StoreError) in
            try store.credentials(kind: kind, prefix: prefix)
        }
        return candidates.first { Secrets.equal($0.credential.hash, hash) && $0.isValid(at: store.now) }
    }

    private func unauthorized(_ code: String, _ message: String) -> APIError {
        APIError(401, code, message, headers: [("WWW-Authenticate", "Basic realm=\"vaka\", charset=\"UTF-8\"")])
    }

    /// The first characters of the key or token, by which it is known; empty where there is none.
    static func prefix(_ request: HTTPRequest) -> String {
        String((secret(request) ?? "").prefix(Secrets.prefixLength))
    }

    /// From `Bearer`, or the password of `Basic`.
    private static func secret(_ request: HTTPRequest) -> String? {
        guard let header = request.header("authorization") else { return nil }
        if header.hasPrefix("Bearer v") { return String(header.dropFirst("Bearer ".utf8.count)) }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let value = String(parts[1].drop { $0 == " " })
        switch parts[0].lowercased() {
        case "bearer": return value
        case "basic":
            guard let data = Data(base64Encoded: value) else { return nil }
            let text = String(decoding: data, as: UTF8.self)
            return text.firstIndex(of: ":").map { String(text[text.index(after: $0)...]) }
        default: return nil
        }
    }
}

extension EventStore {
    /// What cannot be read now is asked for again later.
    func reading<Result>(
        _ body: (any EventStore) throws(StoreError) -> Result
    ) throws(APIError) -> Result {
        do {
            return try body(self)
        } catch {
            guard error.code != .away else { throw APIError.store(error) }
            throw APIError.unavailable("the store cannot be read now: \(error.code.rawValue); try again")
        }
    }
}
