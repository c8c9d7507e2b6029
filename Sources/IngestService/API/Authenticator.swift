// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// Decides whether a request may use a route.
struct Authenticator: Sendable {
    static let sessionCookie = "vaka_session"
    let store: any EventStore

    /// The project the caller may act for; nil on open routes.
    func permit(_ access: Access, _ request: HTTPRequest) throws(APIError) -> Project? {
        switch access {
        case .open: return nil
        case .ingestKey: return try credential(.ingest, request)
        case .adminToken: return try sameProject(try credential(.admin, request), request)
        case .loopbackOrToken: return request.fromLoopback ? nil : try credential(.admin, request)
        case .session: return try session(request)
        }
    }

    /// The token's own project, or a refusal.
    func project(ofToken token: String) throws(APIError) -> Project? {
        try find(.admin, token)
    }

    private func sameProject(_ project: Project, _ request: HTTPRequest) throws(APIError) -> Project {
        guard let wanted = request.parameters["p"], wanted != project.slug else { return project }
        throw APIError(
            403, "wrong_project",
            "this token is of the project \"\(project.slug)\"; use that name in the address, or another token")
    }

    private func credential(_ kind: Credential.Kind, _ request: HTTPRequest) throws(APIError) -> Project {
        let wanted = kind == .ingest ? "an ingest key (vk_…)" : "an admin token (va_…)"
        guard let secret = Self.secret(request) else {
            throw unauthorized("missing_credentials", "send \(wanted) as \"Authorization: Bearer …\"")
        }
        let other = kind == .ingest ? "va_" : "vk_"
        if secret.hasPrefix(other) {
            throw APIError(403, "wrong_kind_of_key", "this address takes \(wanted), not \(other)…")
        }
        guard let project = try find(kind, secret) else {
            throw unauthorized(
                "invalid_credentials",
                "not known here: send \(wanted) of this server; its first start wrote them to credentials.json")
        }
        return project
    }

    private func find(_ kind: Credential.Kind, _ secret: String) throws(APIError) -> Project? {
        let hash = Secrets.hash(secret)
        let prefix = String(secret.prefix(Secrets.prefixLength))
        let candidates = try stored { () throws(StoreError) in try store.credentials(kind: kind, prefix: prefix) }
        return candidates.first { Secrets.equal($0.credential.hash, hash) }?.project
    }

    private func session(_ request: HTTPRequest) throws(APIError) -> Project {
        if let cookie = request.cookie(Self.sessionCookie) {
            let hash = Secrets.hash(cookie)
            let project = try stored { () throws(StoreError) in try store.webSession(hash: hash, now: .now) }
            if let project { return project }
        }
        guard request.method == "GET" else {
            throw APIError(403, "no_session", "log in first, at /login")
        }
        throw APIError(
            303, "no_session", "log in at /login",
            headers: [("Location", "/login?next=" + FormCoding.encode(request.path))])
    }

    private func stored<Result>(_ body: () throws(StoreError) -> Result) throws(APIError) -> Result {
        do {
            return try body()
        } catch {
            throw APIError.unavailable("the store cannot be read now: \(error.code.rawValue); try again")
        }
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
