// SPDX-License-Identifier: Apache-2.0

/// The forms to log in by: name and password where there are users, else a token.
struct LoginPage {
    let request: HTTPRequest
    let proof: String
    let next: String
    let problem: String?
    let hasUsers: Bool

    var page: WebPage {
        let alert =
            problem.map { tag("p", [.className("problem"), HTML.Attribute("role", "alert")], .text($0)) } ?? .nothing
        return WebPage(
            request, title: "Log in",
            content: [tag("h1", [], "Log in"), alert] + (hasUsers ? [byPassword, otherwise] : [byToken, hint]))
    }

    private var byPassword: HTML {
        form(
            Self.field(
                "name", "Name", type: "text",
                [
                    HTML.Attribute("autocomplete", "username"), HTML.Attribute("autocapitalize", "none"),
                    HTML.Attribute("autofocus", ""),
                ])
                + Self.field(
                    "password", "Password", type: "password", [HTML.Attribute("autocomplete", "current-password")]))
    }

    private var byToken: HTML {
        form(Self.field("token", "Token", type: "password", [HTML.Attribute("autocomplete", "off")]))
    }

    private var otherwise: HTML {
        tag("details", [], tag("summary", [], "Log in with a token"), byToken, hint)
    }

    private var hint: HTML {
        tag(
            "p", [.className("hint")], "The token begins with ", tag("code", [], "va_"),
            ". The server's first start wrote one to ",
            tag("code", [], "credentials.json"), " in its data folder.")
    }

    private func form(_ fields: [HTML]) -> HTML {
        tag(
            "form", [.className("login"), HTML.Attribute("method", "post"), HTML.Attribute("action", "/login")],
            Field.hidden("form", proof), Field.hidden("next", next), .group(fields),
            tag("button", [HTML.Attribute("type", "submit")], "Log in"))
    }

    private static func field(
        _ name: StaticString, _ words: String, type: String, _ attributes: [HTML.Attribute]
    ) -> [HTML] {
        [
            tag("label", [HTML.Attribute("for", "\(name)")], .text(words)),
            tag(
                "input",
                [
                    HTML.Attribute("id", "\(name)"), HTML.Attribute("name", "\(name)"), HTML.Attribute("type", type),
                    HTML.Attribute("required", ""), HTML.Attribute("spellcheck", "false"),
                ] + attributes),
        ]
    }
}
