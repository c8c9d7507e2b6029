// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import Privacy
import VakaModel

/// What is taken out of the texts of events, tried on a text, and applied to what is stored.
extension SettingsSection {
    /// How long one press of the button works on stored events; the next goes on.
    private static let applySeconds = 10

    static let scrubbing: Self = Self(
        name: "scrubbing", title: "Scrubbing", readers: .read, changers: .admin,
        content: { service, request, outcome in
            let settings = try service.scrubbing.settings(request.requireProject())
            let mayChange = SettingsSection.scrubbing.mayChange(request)
            return [
                tag(
                    "p", [],
                    "Passwords, keys, cards and home folders are taken out of every text before it is stored. Rules of your own go here."
                ),
                mayChange ? scrubForm(settings).content(request, outcome) : facts(rows(settings)),
                tag("h2", [], "Try the rules"),
                tag("p", [.className("hint")], "Nothing of it is kept."), trial.content(request, outcome),
                mayChange
                    ? .group([
                        tag("h2", [], "What is stored already"),
                        applying(after: nil).content(request, outcome),
                    ]) : .nothing,
            ]
        })

    private static func rows(_ settings: ScrubSettings) -> [(String, String)] {
        let none = "none"
        func list(_ texts: [String]) -> String { texts.isEmpty ? none : texts.joined(separator: ", ") }
        return [
            ("Built-in rules that hold", list(ScrubRule.builtIn.map(\.name).filter { !settings.off.contains($0) })),
            ("Rules on request", list(settings.on)),
            ("Own rules", list(settings.rules.map { "\($0.name): \($0.pattern)" })),
            ("Secret names", list(settings.names)), ("Fields of users taken out", list(settings.userFields)),
        ]
    }

    private static func scrubForm(_ settings: ScrubSettings) -> SettingsForm {
        func boxes(_ names: [String]) -> FormField.Kind { .boxes(names.map { ($0, $0) }) }
        let builtIn = ScrubRule.builtIn.map(\.name)
        return SettingsForm(
            action: "/settings/scrubbing", button: "Save",
            fields: [
                FormField(
                    name: "held", label: "Built-in rules", kind: boxes(builtIn),
                    value: builtIn.filter { !settings.off.contains($0) }.joined(separator: "\n")),
                FormField(
                    name: "on", label: "Rules on request", kind: boxes(ScrubRule.onRequest.map(\.name)),
                    value: settings.on.joined(separator: "\n")),
                FormField(
                    name: "rules", label: "Own rules", kind: .lines,
                    value: settings.rules.map { "\($0.name) \($0.pattern)" }.joined(separator: "\n"),
                    hint:
                        "In each line a name, a space and a pattern; what the pattern's groups match is taken out, or all of it.",
                    placeholder: "customer-number KD-[0-9]{6}"),
                FormField(
                    name: "names", label: "Secret names", kind: .lines, value: settings.names.joined(separator: "\n"),
                    hint: "Values that go by these names are taken out; one a line."),
                FormField(
                    name: "user_fields", label: "Fields of users", kind: .lines,
                    value: settings.userFields.joined(separator: "\n"),
                    hint: "These fields of a user are not kept; one a line."),
            ])
    }

    static func setScrubbing(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let form = scrubForm(ScrubSettings(off: [], on: [], rules: [], names: [], userFields: []))
        return try scrubbing.act(service, request, action: form.action, by: ScrubHandlers.set) { asked in
            var body = form.body(of: request)
            body["held"] = nil
            let held = Set(FormField.lines(form.fields[0].value(in: request.form)))
            body["off"] = .array(ScrubRule.builtIn.map(\.name).filter { !held.contains($0) }.map { .string($0) })
            body["rules"] = .array(FormField.lines(request.form["rules"] ?? "").map(rule))
            try asked.set(json: body)
        }
    }

    /// The first word names it.
    private static func rule(_ line: String) -> JSONValue {
        let parts = line.split(separator: " ", maxSplits: 1)
        return ["name": .string(String(parts[0])), "pattern": .string(parts.count > 1 ? String(parts[1]) : "")]
    }

    private static let trial = SettingsForm(
        action: "/settings/scrubbing/try", button: "Try",
        fields: [FormField(name: "text", label: "Text", kind: .area, isRequired: true)])

    static func tryScrubbing(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try scrubbing.act(
            service, request, action: trial.action, by: ScrubHandlers.attempt,
            { try $0.set(json: trial.body(of: request)) },
            told: {
                let made = try ModelCoding.decode(JSONValue.self, from: $0)
                return tag(
                    "div", [.className("notice"), HTML.Attribute("role", "status")],
                    tag("p", [], "The rules make this of it:"),
                    tag("pre", [HTML.Attribute("tabindex", "0")], .text(made["text"]?.string ?? "")))
            })
    }

    private static func applying(after cursor: String?) -> SettingsForm {
        SettingsForm(
            action: "/settings/scrubbing/apply", button: cursor == nil ? "Apply the rules to it" : "Go on",
            fields: cursor.map { [FormField(name: "cursor", label: "", kind: .hidden, value: $0)] } ?? [],
            caution: "What the rules take out is gone for good.", busy: "Working…")
    }

    /// As far as a reader waits; the button goes on from there.
    static func applyScrubbing(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let end = ContinuousClock.now + .seconds(applySeconds)
        return try scrubbing.act(
            service, request, action: applying(after: nil).action, by: ScrubHandlers.apply,
            { $0.query["cursor"] = request.form["cursor"] },
            told: { first in
                var part = try ModelCoding.decode(ScrubHandlers.Progress.self, from: first)
                var (looked, changed) = (part.looked, part.changed)
                while let next = part.nextCursor, ContinuousClock.now < end {
                    var asked = request
                    asked.query["cursor"] = next
                    part = try ModelCoding.decode(
                        ScrubHandlers.Progress.self, from: ScrubHandlers.apply(service, asked).content)
                    (looked, changed) = (looked + part.looked, changed + part.changed)
                }
                return .group([
                    notice(
                        "\(changed) of \(Words.count(looked, "text")) changed"
                            + (part.nextCursor == nil ? "; that was all." : " so far.")),
                    part.nextCursor.map { applying(after: $0).content(request, .none) } ?? .nothing,
                ])
            })
    }
}
