// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// A form of the settings. The same fields are shown, and make the body that the API's own handler takes.
struct SettingsForm {
    /// Where it is sent to; it names the form, too.
    var action: String
    var button: String
    var fields: [FormField] = []
    /// Of what cannot be taken back: asked for once more, in these words.
    var caution: String?
    /// What the button says while it takes time.
    var busy: String?

    /// The API's body, of what was written.
    func body(of request: HTTPRequest) -> [String: JSONValue] {
        let form = request.form
        return fields.reduce(into: [:]) { $0[$1.name] = $1.json(in: form) }
    }

    /// As it was, or as it was sent where that cannot be done.
    func content(_ request: HTTPRequest, _ outcome: FormOutcome) -> HTML {
        let isThis = outcome.action == action
        let problem = isThis ? outcome.problem : nil
        let name = action.dropFirst().map { $0 == "/" ? "-" : String($0) }.joined()
        let input = problem == nil ? nil : request.form
        let form = tag(
            "form",
            [.className("settings"), HTML.Attribute("method", "post"), HTML.Attribute("action", action)]
                + (busy.map { [HTML.Attribute("data-busy", $0)] } ?? []),
            Field.hidden("form", WebPage.proof(request)), problem.map { Self.alert(words($0)) } ?? .nothing,
            .group(
                fields.map { field in
                    field.content(
                        of: name, value: input.map(field.value) ?? field.value,
                        isWrong: problem?.contains("\"\(field.name)\"") ?? false)
                }),
            tag(
                "button", [HTML.Attribute("type", "submit")] + (fields.isEmpty ? [.className("quiet")] : []),
                .text(button)))
        guard let caution else { return form }
        return tag(
            "details", [.className("caution")] + (problem == nil ? [] : [HTML.Attribute("open", "")]),
            tag("summary", [], .text(button + "…")), tag("p", [], .text(caution)), form)
    }

    /// A refusal names fields as the API does; people know them by their labels.
    private func words(_ problem: String) -> String {
        let named = fields.reduce(problem) { $0.replacing("\"\($1.name)\"", with: "“\($1.label)”") }
        return named.hasSuffix(".") ? named : named + "."
    }

    static func alert(_ words: String) -> HTML {
        tag(
            "p",
            [
                .className("problem"), HTML.Attribute("role", "alert"), HTML.Attribute("tabindex", "-1"),
                HTML.Attribute("autofocus", ""),
            ], .text(words))
    }
}

/// What became of a form.
struct FormOutcome {
    /// The form that was sent; nil where the page was only opened.
    var action: String?
    /// What is wrong with it.
    var problem: String?
    /// What came of it and is told once.
    var result: HTML = .nothing

    static let none = FormOutcome()
}
