// SPDX-License-Identifier: Apache-2.0
import EventStore

/// What the buttons of an issue's page do.
enum IssueFormHandlers {
    static func resolve(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let release = request.form["after_release"].flatMap { $0.isEmpty ? nil : $0 }
        return try apply(.resolve(release.map { .afterRelease($0) } ?? .now), service, request)
    }

    static func mute(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let term = MuteTerm(rawValue: request.form["term"] ?? "") ?? .forever
        return try apply(.mute(term.mute(from: service.store.now)), service, request)
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
        try PageForm.requireOwn(request)
        let issue = try TriageHandlers.apply([change], service, request, by: PageForm.actor(request))
        return .redirect(to: "/issues/\(issue.id)")
    }
}
