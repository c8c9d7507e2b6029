// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The frame that every page has.
struct WebPage {
    var title: String
    /// The session's form proof, for the button to log out; nil where nobody is logged in.
    var logOutProof: String?
    var content: [HTML]

    private static let policy = [
        "default-src 'none'", "style-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    func response(status: Int = 200, headers: [(name: String, value: String)] = []) -> HTTPResponse {
        var text = "<!DOCTYPE html>\n"
        document.write(to: &text)
        return HTTPResponse(
            status: status, contentType: "text/html; charset=utf-8", body: Data(text.utf8),
            headers: [
                ("Content-Security-Policy", Self.policy), ("Referrer-Policy", "no-referrer"),
                ("Cache-Control", "no-store"),
                ("X-Frame-Options", "DENY"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ] + headers)
    }

    private var document: HTML {
        tag(
            "html", [HTML.Attribute("lang", "en")],
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
                tag("link", [HTML.Attribute("rel", "stylesheet"), .href("/style.css")])),
            tag(
                "body", [],
                tag("a", [.className("skip"), .href("#content")], "Skip to the content"),
                header,
                tag("main", [HTML.Attribute("id", "content")], children: content)))
    }

    private var header: HTML {
        tag(
            "header", [],
            tag("a", [.className("brand"), .href("/")], "Vaka"),
            logOutProof.map { proof in
                tag(
                    "form",
                    [.className("session"), HTML.Attribute("method", "post"), HTML.Attribute("action", "/logout")],
                    tag(
                        "input",
                        [
                            HTML.Attribute("type", "hidden"), HTML.Attribute("name", "form"),
                            HTML.Attribute("value", proof),
                        ]),
                    tag("a", [.href("/projects")], "Projects"), tag("a", [.href("/account")], "Account"),
                    tag("button", [.className("quiet"), HTML.Attribute("type", "submit")], "Log out"))
            } ?? .nothing)
    }
}
