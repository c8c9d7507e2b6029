// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// Logging people in and out.
enum LoginHandlers {
    private static let formCookie = "vaka_form"
    private static let linkMinutes: Int64 = 15

    private struct Link: Encodable {
        var url: String
        var expiresInSeconds: Int64

        enum CodingKeys: String, CodingKey {
            case url
            case expiresInSeconds = "expires_in_s"
        }
    }

    /// `POST /api/v1/login-links`: for the command line, which prints the link.
    static func makeLink(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        guard case .token(let token)? = request.caller?.kind else {
            throw APIError(403, "no_token", "a link is made with a token")
        }
        let address = try link(for: token.id, service.store, url: service.url, next: request.query["next"])
        return try .json(Link(url: address, expiresInSeconds: linkMinutes * 60), status: 201)
    }

    /// Logs in once, as the token's owner.
    static func link(
        for token: Int64, _ store: any EventStore, url: String, next: String?
    ) throws(StoreError) -> String {
        let secret = Secrets.random()
        let expires = Timestamp(milliseconds: store.now.milliseconds + linkMinutes * 60_000)
        try store.addLoginLink(hash: Secrets.hash(secret), credential: token, expires: expires)
        return url + "/login?once=" + secret + (next.map { "&next=" + FormCoding.encode($0) } ?? "")
    }

    static func form(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let next = safe(request.query["next"])
        guard let once = request.query["once"] else {
            return try show(service, request, next: next, problem: nil, status: 200)
        }
        guard let token = try service.store.consumeLoginLink(hash: Secrets.hash(once), now: service.store.now) else {
            return try show(
                service, request, next: next,
                problem: "This link was used already or is too old. Make a new one, or log in here.", status: 403)
        }
        return try Login(service: service, request: request, next: next).open(token)
    }

    static func logIn(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let form = request.form
        let next = safe(form["next"])
        let cookie = request.cookie(formCookie) ?? ""
        guard !cookie.isEmpty, isOwn(request, secret: cookie) else {
            return try show(service, request, next: next, problem: "The form was too old. Log in again.", status: 403)
        }
        switch try Login(service: service, request: request, next: next).attempt(form) {
        case .open(let response):
            return response
        case .wrong(let problem):
            return try show(service, request, next: next, problem: problem, status: 403)
        case .wait(let seconds):
            return try show(
                service, request, next: next, problem: "Too many attempts. Try again in \(seconds) seconds.",
                status: 429, headers: [("Retry-After", "\(seconds)")])
        }
    }

    static func logOut(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let session = request.cookie(Authenticator.sessionCookie) ?? ""
        guard isOwn(request, secret: session) else {
            throw APIError(403, "wrong_form", "use the page's own button to log out")
        }
        try service.store.removeWebSession(hash: Secrets.hash(session))
        return .redirect(to: "/login", headers: [cookie(Authenticator.sessionCookie, "", request, seconds: 0)])
    }

    /// The hidden field that a form of this session carries; another each time.
    static func proof(_ secret: String) -> String {
        Secrets.masked(Secrets.derived(secret, for: "form"))
    }

    /// Whether the form was made for who holds the secret, and sent from a page of ours.
    static func isOwn(_ request: HTTPRequest, secret: String) -> Bool {
        sameOrigin(request)
            && Secrets.equal(Secrets.unmasked(request.form["form"] ?? ""), Secrets.derived(secret, for: "form"))
    }

    private static func show(
        _ service: Service, _ request: HTTPRequest, next: String, problem: String?, status: Int,
        headers: [(name: String, value: String)] = []
    ) throws -> HTTPResponse {
        let secret = Secrets.random()
        let page = LoginPage(
            request: request, proof: proof(secret), next: next, problem: problem,
            hasUsers: try !service.store.users().isEmpty)
        return page.page.response(
            status: status, headers: [cookie(formCookie, secret, request, seconds: 3600)] + headers)
    }

    static func cookie(
        _ name: String, _ value: String, _ request: HTTPRequest, seconds: Int64
    ) -> (name: String, value: String) {
        let secure = request.isEncrypted ? "; Secure" : ""
        return ("Set-Cookie", "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax; Max-Age=\(seconds)\(secure)")
    }

    /// Only an address on this server.
    static func safe(_ next: String?) -> String {
        guard let next, next.hasPrefix("/"), !next.hasPrefix("//"), !next.hasPrefix("/\\"), next.utf8.count < 512,
            next.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") })
        else { return "/" }
        return next
    }

    /// Browsers say where a form was; another site's is refused.
    static func sameOrigin(_ request: HTTPRequest) -> Bool {
        guard let origin = request.header("origin") else { return true }
        guard let range = origin.firstRange(of: "://") else { return false }
        return origin[range.upperBound...] == request.header("host") ?? ""
    }
}
