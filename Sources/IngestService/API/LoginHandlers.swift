// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// Logging people in and out.
enum LoginHandlers {
    private static let formCookie = "vaka_form"
    private static let linkMinutes: Int64 = 15
    private static let sessionDays: Int64 = 14

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
        let secret = Secrets.random()
        let expires = Timestamp(milliseconds: Timestamp.now.milliseconds + linkMinutes * 60_000)
        try service.store.addLoginLink(
            hash: Secrets.hash(secret), project: try request.requireProject().id, expires: expires)
        let next = request.query["next"].map { "&next=" + FormCoding.encode($0) } ?? ""
        return try .json(
            Link(url: service.url + "/login?once=" + secret + next, expiresInSeconds: linkMinutes * 60), status: 201)
    }

    static func form(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let next = safe(request.query["next"])
        guard let once = request.query["once"] else { return showForm(request, next: next, problem: nil, status: 200) }
        guard let project = try service.store.consumeLoginLink(hash: Secrets.hash(once), now: .now) else {
            return showForm(
                request, next: next,
                problem: "This link was used already or is too old. Make a new one, or log in with the token.",
                status: 403)
        }
        return try openSession(service, request, project, next)
    }

    static func logIn(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let form = request.form
        let next = safe(form["next"])
        let cookie = request.cookie(formCookie) ?? ""
        guard !cookie.isEmpty, sameOrigin(request), Secrets.equal(form["form"] ?? "", proof(cookie)) else {
            return showForm(request, next: next, problem: "The form was too old. Log in again.", status: 403)
        }
        let authenticator = Authenticator(store: service.store)
        guard let token = form["token"], let project = try authenticator.project(ofToken: token) else {
            return showForm(
                request, next: next, problem: "This is no admin token of this server. It begins with va_.", status: 403)
        }
        return try openSession(service, request, project, next)
    }

    static func logOut(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let session = request.cookie(Authenticator.sessionCookie) ?? ""
        guard sameOrigin(request), Secrets.equal(request.form["form"] ?? "", proof(session)) else {
            throw APIError(403, "wrong_form", "use the page's own button to log out")
        }
        try service.store.removeWebSession(hash: Secrets.hash(session))
        return .redirect(to: "/login", headers: [cookie(Authenticator.sessionCookie, "", request, seconds: 0)])
    }

    /// The hidden field that a form of this session carries.
    static func proof(_ secret: String) -> String {
        Secrets.derived(secret, for: "form")
    }

    private static func openSession(
        _ service: Service, _ request: HTTPRequest, _ project: Project, _ next: String
    ) throws -> HTTPResponse {
        let secret = Secrets.random()
        let expires = Timestamp(milliseconds: Timestamp.now.milliseconds + sessionDays * 86_400_000)
        try service.store.addWebSession(hash: Secrets.hash(secret), project: project.id, expires: expires)
        let header = cookie(Authenticator.sessionCookie, secret, request, seconds: sessionDays * 86_400)
        return .redirect(to: next, headers: [header])
    }

    private static func showForm(_ request: HTTPRequest, next: String, problem: String?, status: Int) -> HTTPResponse {
        let secret = Secrets.random()
        let page = LoginPage.page(proof: proof(secret), next: next, problem: problem)
        return page.response(status: status, headers: [cookie(formCookie, secret, request, seconds: 3600)])
    }

    private static func cookie(
        _ name: String, _ value: String, _ request: HTTPRequest, seconds: Int64
    ) -> (name: String, value: String) {
        let secure = request.isEncrypted ? "; Secure" : ""
        return ("Set-Cookie", "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax; Max-Age=\(seconds)\(secure)")
    }

    /// Only an address on this server.
    private static func safe(_ next: String?) -> String {
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
