// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Dark or light, as the reader chose; kept in a cookie of their browser. Nil is as their system is.
enum Theme: String, CaseIterable, Sendable {
    case light, dark

    private static let cookie = "vaka_theme"
    private static let year: Int64 = 365 * 86_400

    init?(of request: HTTPRequest) {
        guard let theme = request.cookie(Self.cookie).flatMap(Theme.init(rawValue:)) else { return nil }
        self = theme
    }

    /// `POST /theme`
    static func choose(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        guard LoginHandlers.sameOrigin(request) else {
            throw APIError(403, "wrong_form", "use the page's own buttons")
        }
        let form = request.form
        let theme = Theme(rawValue: form["theme"] ?? "")
        return .redirect(
            to: LoginHandlers.safe(form["next"]),
            headers: [LoginHandlers.cookie(cookie, theme?.rawValue ?? "", request, seconds: theme == nil ? 0 : year)])
    }

    /// The buttons to choose by, which lead back to where the reader is.
    static func choice(_ request: HTTPRequest) -> HTML {
        let current = Theme(of: request)
        func button(_ theme: Theme?, _ words: String) -> HTML {
            tag(
                "button",
                [
                    .className("quiet"), HTML.Attribute("type", "submit"), HTML.Attribute("name", "theme"),
                    HTML.Attribute("value", theme?.rawValue ?? ""),
                    HTML.Attribute("aria-pressed", theme == current ? "true" : "false"),
                ], .text(words))
        }
        return tag(
            "form", [.className("theme"), HTML.Attribute("method", "post"), HTML.Attribute("action", "/theme")],
            Field.hidden("next", PageForm.here(request)), tag("span", [], "Colours:"), button(nil, "as the system's"),
            button(.light, "light"), button(.dark, "dark"))
    }
}
