// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// A page of the settings.
struct SettingsSection: Sendable {
    typealias Content = @Sendable (Service, HTTPRequest, FormOutcome) throws -> [HTML]

    let name: String
    let title: String
    /// What its readers must be permitted.
    let readers: Permission
    /// What those who change it must be permitted.
    let changers: Permission
    let content: Content

    var path: String { "/settings/" + name }

    /// In the order in which they are shown; the last are about the whole server.
    static let all = [
        limits, keys, tokens, members, scrubbing, alerts, sdk, source, audit, projects, users,
    ]

    /// `GET /settings`: to the first that the reader may see.
    static func index(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        .redirect(to: limits.path)
    }

    @Sendable func show(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let saved = request.query["saved"] == nil ? HTML.nothing : Self.notice("Saved.")
        return try page(service, request, FormOutcome(result: saved), status: 200)
    }

    /// Has the API's own handler do what the form says, and tells what came of it.
    ///
    /// - Parameters:
    ///   - request: what the handler is to take, in the place of the form.
    ///   - told: what is shown of its answer, once; nil leads back to the page.
    func act(
        _ service: Service, _ request: HTTPRequest, action: String, by handler: Route.Handler,
        _ asked: (inout HTTPRequest) throws -> Void, told: (Data) throws -> HTML? = { _ in nil }
    ) throws -> HTTPResponse {
        try PageForm.requireOwn(request)
        do {
            var wanted = request
            try asked(&wanted)
            let answer = try handler(service, wanted)
            var response: HTTPResponse
            if let result = try told(answer.content) {
                response = try page(service, request, FormOutcome(action: action, result: result), status: 200)
            } else {
                response = .redirect(to: path + "?saved=1")
            }
            response.subject = answer.subject
            return response
        } catch let error as APIError where error.status < 500 {
            return try refuse(service, request, action, error)
        } catch let error as StoreError where error.code == .exists {
            return try refuse(service, request, action, .store(error))
        }
    }

    private func refuse(
        _ service: Service, _ request: HTTPRequest, _ action: String, _ error: APIError
    ) throws -> HTTPResponse {
        try page(service, request, FormOutcome(action: action, problem: error.message), status: error.status)
    }

    private func page(
        _ service: Service, _ request: HTTPRequest, _ outcome: FormOutcome, status: Int
    ) throws -> HTTPResponse {
        let content = try content(service, request, outcome)
        return WebPage(
            request, title: title, section: .settings,
            content: [
                tag(
                    "div", [.className("with-parts")], navigation(request.caller),
                    tag("div", [], tag("h1", [], .text(title)), outcome.result, .group(content)))
            ]
        ).response(status: status)
    }

    private func navigation(_ caller: Caller?) -> HTML {
        let open = Self.all.filter { caller?.may($0.readers) == true }
        return tag(
            "nav", [.className("parts"), HTML.Attribute("aria-label", "Settings")],
            tag("a", [.href("/start")], "Link a program"),
            .group(
                open.map { section in
                    tag(
                        "a",
                        [.href(section.path)] + (section.name == name ? [HTML.Attribute("aria-current", "page")] : []),
                        .text(section.title))
                }))
    }

    func mayChange(_ request: HTTPRequest) -> Bool { request.caller?.may(changers) == true }

    static func notice(_ words: String) -> HTML {
        tag("p", [.className("notice"), HTML.Attribute("role", "status")], .text(words))
    }
}

extension HTTPRequest {
    /// What the API takes as JSON.
    mutating func set(json object: [String: JSONValue]) throws {
        body = .memory(try ModelCoding.encode(object))
    }
}
