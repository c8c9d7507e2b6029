// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The frame that every page has.
struct WebPage {
    private let request: HTTPRequest
    private let title: String
    private let section: SiteSection?
    private let content: [HTML]

    init(_ request: HTTPRequest, title: String, section: SiteSection? = nil, content: [HTML]) {
        self.request = request
        self.title = title
        self.section = section
        self.content = content
    }

    /// What the forms of this session carry.
    static func proof(_ request: HTTPRequest) -> String {
        LoginHandlers.proof(request.cookie(Authenticator.sessionCookie) ?? "")
    }

    private static let policy = [
        "default-src 'none'", "style-src 'self'", "script-src 'self'", "connect-src 'self'", "form-action 'self'",
        "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    func response(status: Int = 200, headers: [(name: String, value: String)] = []) -> HTTPResponse {
        var text = "<!DOCTYPE html>\n"
        document.write(to: &text)
        return HTTPResponse(
            status: status, contentType: "text/html; charset=utf-8", body: Data(text.utf8),
            headers: [
                ("Content-Security-Policy", Self.policy), ("Referrer-Policy", "same-origin"),
                ("Cache-Control", "no-store"),
                ("X-Frame-Options", "DENY"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ] + headers)
    }

    private var document: HTML {
        tag(
            "html",
            [HTML.Attribute("lang", "en")]
                + (Theme(of: request).map { [HTML.Attribute("data-theme", $0.rawValue)] } ?? []),
            tag(
                "head", [],
                tag("meta", [HTML.Attribute("charset", "utf-8")]),
                tag(
                    "meta",
                    [
                        HTML.Attribute("name", "viewport"),
                        HTML.Attribute("content", "width=device-width, initial-scale=1"),
                    ]),
                tag("meta", [HTML.Attribute("name", "color-scheme"), HTML.Attribute("content", "light dark")]),
                tag("title", [], .text(title + " · Vaka")),
                tag("link", [HTML.Attribute("rel", "stylesheet"), .href(PageFile.style.address)]),
                tag("script", [HTML.Attribute("src", PageFile.script.address), HTML.Attribute("defer", "")])),
            tag(
                "body", [],
                tag("a", [.className("skip"), .href("#content")], "Skip to the content"),
                header,
                tag("main", [HTML.Attribute("id", "content"), HTML.Attribute("tabindex", "-1")], children: content),
                tag("footer", [], Theme.choice(request))))
    }

    private var header: HTML {
        tag(
            "header", [],
            tag("a", [.className("brand"), .href("/")], "Vaka"),
            SiteSection.navigation(of: request.caller, here: section), session)
    }
    /// For those who are logged in.
    private var session: HTML {
        guard request.caller != nil else { return .nothing }
        return tag(
            "form",
            [.className("session"), HTML.Attribute("method", "post"), HTML.Attribute("action", "/logout")],
            Field.hidden("form", Self.proof(request)),
            request.project.map { tag("a", [.href("/projects")], .text("Project \($0.slug)")) }
                ?? tag("a", [.href("/projects")], "Projects"),
            tag("a", [.href("/account")], "Account"), Field.submit("Log out"))
    }
}
