// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// How a program is linked, with the reader's own address and key, and its first crash as it comes.
struct StartPage {
    private static let noKey = "vk_…"

    /// How the reader reaches the server.
    let url: String
    /// Where it was just made.
    let key: String?
    let mayMakeKeys: Bool
    let latest: EventSummary?
    let proof: String

    var content: [HTML] {
        [
            tag("h1", [], "Link a program"),
            tag(
                "ol", [.className("walk")],
                tag("li", [], tag("h2", [], "A key"), keyStep),
                tag("li", [], tag("h2", [], "The program"), programStep),
                tag("li", [], tag("h2", [], "Its first crash"), crashStep),
                tag("li", [], tag("h2", [], "Names and lines"), symbolStep)),
        ]
    }

    private var shownKey: String { key ?? Self.noKey }

    private var keyStep: HTML {
        if let key {
            return .group([
                SettingsSection.notice("The key was made, and stands in the commands below. It is shown this once."),
                CopyButton.block("key", key),
            ])
        }
        guard mayMakeKeys else {
            return tag(
                "p", [], "Ask an admin of this project for an ingest key, and put it where the commands say vk_….")
        }
        return .group([
            tag(
                "p", [], "Programs send with an ingest key. The first start printed one; or make one for this program:"),
            tag(
                "form", [HTML.Attribute("method", "post"), HTML.Attribute("action", "/start")],
                Field.hidden("form", proof),
                tag("button", [HTML.Attribute("type", "submit")], "Make a key and put it into the commands")),
        ])
    }

    private var programStep: HTML {
        .group([
            tag("h3", [], "Written in Swift"), tag("p", [], "In ", tag("code", [], "Package.swift"), ":"),
            CopyButton.block("package", Self.package),
            tag("p", [], "As early as the program can:"), CopyButton.block("code", swift),
            tag("p", [], "Built so that reports and debug information find each other:"),
            CopyButton.block("build", "swift build -c release -Xswiftc -g -Xlinker --build-id"),
            tag("h3", [], "Any other"),
            tag("p", [], "C, C++, Rust and others need no change; ", tag("code", [], "vaka run"), " starts them:"),
            CopyButton.block("run", "vaka run --url \(url) --key \(shownKey) --release app@1.0 -- ./app"),
        ])
    }

    private static let package = """
        dependencies: [.package(name: "vaka", path: "PATH/TO/vaka")],
        targets: [.executableTarget(name: "shop", dependencies: [.product(name: "Vaka", package: "vaka")])]
        """

    private var swift: String {
        """
        import Foundation
        import Vaka

        Vaka.start(Vaka.Options(key: "\(shownKey)", endpoint: URL(string: "\(url)")!, release: "shop@1.0"))
        """
    }

    private var crashStep: HTML {
        .group([
            tag(
                "p", [], "Let it crash: ", tag("code", [], "fatalError(\"the first\")"), " will do, or ",
                tag("code", [], "kill -SEGV"), " from outside. A Swift program sends at its ",
                tag("b", [], "next launch"),
                ": start it again. ", tag("code", [], "vaka run"), " sends at once."),
            tag(
                "p",
                [
                    .className("waiting"), HTML.Attribute("role", "status"),
                    HTML.Attribute("data-first", "/start.json?known=\(FormCoding.encode(latest?.eventID ?? ""))"),
                ], arrived),
        ])
    }

    private var arrived: HTML {
        guard let latest else {
            return "Nothing has come yet. This turns into a link when it does; without scripts, load the page again."
        }
        return .group([
            "The latest that came: ",
            tag("a", [.href("/events/" + FormCoding.encode(latest.eventID))], .text(latest.title)),
            ", ", Words.ago(latest.receivedAt), ". What comes next is shown here.",
        ])
    }

    private var symbolStep: HTML {
        .group([
            tag(
                "p", [],
                "Stacks get names and lines once the debug information is here, those of earlier crashes too. ",
                "It needs a token with the scope upload, ",
                mayMakeKeys ? tag("a", [.href(SettingsSection.tokens.path)], "made in the settings") : "of an admin",
                ":"),
            CopyButton.block("upload", "vaka upload debug .build/release --include-sources --url \(url) --token va_…"),
        ])
    }
}

extension StartPage {
    /// `GET /start`
    static func show(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try page(service, request, key: nil)
    }

    /// `POST /start`: with a key of its own.
    static func makeKey(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try PageForm.requireOwn(request)
        var asked = request
        try asked.set(json: ["name": "first program"])
        let answer = try CredentialHandlers.addKey(service, asked)
        let made = try ModelCoding.decode(JSONValue.self, from: answer.content)
        var response = try page(service, request, key: made["secret"]?.string)
        response.subject = answer.subject
        return response
    }

    /// `GET /start.json`: an event that is not the one the page knows; null where none is.
    static func news(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let latest = try latest(service, request)
        let isNew = latest.map { $0.eventID != request.query["known"] } ?? false
        return try .json(News(event: isNew ? latest.map { News.Arrival(id: $0.eventID, title: $0.title) } : nil))
    }

    private struct News: Encodable {
        struct Arrival: Encodable {
            var id: String
            var title: String
        }

        @ExplicitNull var event: Arrival?
    }

    private static func page(_ service: Service, _ request: HTTPRequest, key: String?) throws -> HTTPResponse {
        let page = StartPage(
            url: PageForm.address(service, request), key: key, mayMakeKeys: request.caller?.may(.admin) == true,
            latest: try latest(service, request), proof: WebPage.proof(request))
        return WebPage(request, title: "Link a program", section: .settings, content: page.content).response()
    }

    private static func latest(_ service: Service, _ request: HTTPRequest) throws -> EventSummary? {
        let project = try request.requireProject().id
        let issues = try service.store.issues(project: project, IssueQuery(sort: .lastSeen), after: nil, limit: 1)
        guard let event = issues.items.first?.latestEvent else { return nil }
        return try service.store.event(project: project, id: event)?.summary
    }
}
