// SPDX-License-Identifier: Apache-2.0

/// The form to log in by.
enum LoginPage {
    static func page(proof: String, next: String, problem: String?) -> WebPage {
        let form = tag(
            "form", [.className("login"), HTML.Attribute("method", "post"), HTML.Attribute("action", "/login")],
            Field.hidden("form", proof), Field.hidden("next", next),
            tag("label", [HTML.Attribute("for", "token")], "Admin token"),
            tag(
                "input",
                [
                    HTML.Attribute("id", "token"), HTML.Attribute("name", "token"), HTML.Attribute("type", "password"),
                    HTML.Attribute("autocomplete", "current-password"), HTML.Attribute("required", ""),
                    HTML.Attribute("autofocus", ""), HTML.Attribute("spellcheck", "false"),
                ]),
            tag("button", [HTML.Attribute("type", "submit")], "Log in"))
        let hint = tag(
            "p", [.className("hint")], "The token begins with ", tag("code", [], "va_"),
            ". The server's first start wrote it to ",
            tag("code", [], "credentials.json"), " in its data folder.")
        let alert =
            problem.map { tag("p", [.className("problem"), HTML.Attribute("role", "alert")], .text($0)) } ?? .nothing
        return WebPage(title: "Log in", logOutProof: nil, content: [tag("h1", [], "Log in"), alert, form, hint])
    }
}
