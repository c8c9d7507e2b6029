// SPDX-License-Identifier: Apache-2.0
import EventStore

/// What the buttons of an issue's page do.
enum IssueFormHandlers {
    /// What the history calls whoever used the page without an account.
    private static let person = "page"

    static func resolve(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let release = request.form["after_release"].flatMap { $0.isEmpty ? nil : $0 }
        return try apply(.resolve(release.map { .afterRelease($0) } ?? .now), service, request)
    }

    static func mute(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try apply(.mute(.forever), service, request)
    }

    static func open(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try apply(.open, service, request)
    }

    static func assign(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let name = String((request.form["assignee"] ?? "").unicodeScalars.prefix(RequestFields.longestName))
        return try apply(.assign(name.isEmpty ? nil : name), service, request)
    }

    static func comment(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let text = String((request.form["text"] ?? "").unicodeScalars.prefix(TriageHandlers.longestComment))
        guard !text.isEmpty else { throw RequestFields.wrong("text", "is empty") }
        return try apply(.comment(text), service, request)
    }

    private static func apply(
        _ change: IssueChange, _ service: Service, _ request: HTTPRequest
    ) throws -> HTTPResponse {
        let session = request.cookie(Authenticator.sessionCookie) ?? ""
        let proof = LoginHandlers.proof(session)
        guard LoginHandlers.sameOrigin(request), Secrets.equal(request.form["form"] ?? "", proof) else {
            throw APIError(403, "wrong_form", "the form was too old; load the page again and use its button")
        }
        let issue = try TriageHandlers.apply([change], service, request, by: request.caller?.userName ?? person)
        return .redirect(to: "/issues/\(issue.id)")
    }
}
