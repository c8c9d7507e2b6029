// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// One attempt to log in, and the session that comes of it. What is refused does not tell whether there is such a user.
struct Login {
    enum Outcome {
        case open(HTTPResponse)
        /// What to tell.
        case wrong(String)
        /// Seconds.
        case wait(Int)
    }

    private static let sessionDays: Int64 = 14

    let service: Service
    let request: HTTPRequest
    let next: String

    /// By a name and a password, or by a token.
    func attempt(_ form: [String: String]) throws -> Outcome {
        if let token = form["token"], !token.isEmpty { return try attempt(token: token) }
        // What is no name is an account that there is not, and as slow.
        let name = AccountNames.user(form["name"] ?? "") ?? "-"
        let address = ClientAddress.network(request.address)
        if let seconds = service.throttle.begin(account: name, address: address) { return .wait(seconds) }
        let password = String((form["password"] ?? "").unicodeScalars.prefix(Passwords.lengths.upperBound))
        let known = try service.store.login(name: name)
        let isRight = try service.passwords.check(password, known?.passwordHash)
        guard isRight, let user = known?.user, !user.isDisabled else {
            try service.audit(AuditEntry.failedLogin, request, actor: known?.user.name)
            return .wrong("This name and this password do not go together.")
        }
        service.throttle.succeeded(account: name, address: address)
        return .open(try open(user))
    }

    private func attempt(token: String) throws -> Outcome {
        let address = ClientAddress.network(request.address)
        if let seconds = service.throttle.begin(account: nil, address: address) { return .wait(seconds) }
        guard let found = try Authenticator(store: service.store).token(token) else {
            try service.audit(AuditEntry.failedLogin, request, actor: "token")
            return .wrong("This is no token of this server that is in force. It begins with va_.")
        }
        service.throttle.succeeded(account: nil, address: address)
        return .open(try open(found))
    }

    func open(_ token: OwnedCredential) throws -> HTTPResponse {
        try open(.credential(token.id), token.project, Caller.name(of: token))
    }

    func open(_ user: User) throws -> HTTPResponse {
        let own = try service.store.projects(ofUser: user.id)
        // Who has a part nowhere yet is told so by the page of projects.
        guard let project = try own.first ?? service.store.projects().first else {
            throw APIError.notFound("there is no project")
        }
        return try open(.user(user.id), project, user.name)
    }

    private func open(_ owner: SessionOwner, _ project: Project, _ actor: String) throws -> HTTPResponse {
        let secret = Secrets.random()
        let expires = Timestamp(milliseconds: service.store.now.milliseconds + Self.sessionDays * 86_400_000)
        try service.store.addWebSession(
            hash: Secrets.hash(secret), owner: owner, project: project.id, expires: expires)
        try service.audit("login", request, actor: actor, project: project)
        let header = LoginHandlers.cookie(
            Authenticator.sessionCookie, secret, request, seconds: Self.sessionDays * 86_400)
        return .redirect(to: next, headers: [header])
    }
}
