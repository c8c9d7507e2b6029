// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// What programs do that use the SDK, and where their code is.
extension SettingsSection {
    static let sdk: Self = Self(
        name: "sdk", title: "SDK switches", readers: .read, changers: .admin,
        content: { service, request, outcome in
            let settings = try SettingsHandlers.stored(service, request.requireProject())
            return [
                tag(
                    "p", [],
                    "Programs ask for these with their key, and follow them from their next launch on at the latest."),
                SettingsSection.sdk.mayChange(request)
                    ? sdkForm(settings).content(request, outcome)
                    : settings.isEmpty
                        ? tag("p", [], "Everything is as the programs say themselves.")
                        : facts(settings.sorted { $0.key < $1.key }.map { ($0.key, ValueText.of($0.value)) }),
            ]
        })

    private static let switches = [
        ("crash_reporting", "Crash reports"), ("event_logging", "Logged events"), ("session_tracking", "Sessions"),
        ("network_capture", "Network exchanges"), ("network_capture_bodies", "Bodies of exchanges, in debug builds"),
        ("network_performance", "Times of requests"),
    ]
    private static let hosts = [
        ("network_hosts_include", "Hosts to record", "One a line; empty: every host."),
        ("network_hosts_exclude", "Hosts not to record", "One a line."),
    ]
    private static let rates = [
        ("error_sample_rate", "Share of errors"), ("track_sample_rate", "Share of tracks"),
        ("session_sample_rate", "Share of sessions"),
    ]

    private static func sdkForm(_ settings: [String: JSONValue]) -> SettingsForm {
        let own: FormField.Kind = .choice([("", "as the program says"), ("true", "on"), ("false", "off")])
        let salt = "pseudonym_salt"
        let known = Set(switches.map(\.0) + rates.map(\.0) + hosts.map(\.0) + recordingNames + [salt])
        let others = settings.filter { !known.contains($0.key) }
        func text(_ name: String) -> String { settings[name].map(ValueText.of) ?? "" }
        return SettingsForm(
            action: "/settings/sdk", button: "Save",
            fields: switches.map { FormField(name: $0.0, label: $0.1, kind: own, value: text($0.0)) }
                + rates.map { FormField(name: $0.0, label: $0.1, value: text($0.0), hint: "From 0 to 1; empty: all.") }
                + hosts.map {
                    FormField(
                        name: $0.0, label: $0.1, kind: .lines, value: lines(settings[$0.0]).joined(separator: "\n"),
                        hint: $0.2, placeholder: "api.example.com")
                } + recordingFields(settings)
                + [
                    FormField(
                        name: salt, label: "Salt of pseudonyms", value: text(salt),
                        hint: "16 to 200 characters; with another one, users get other pseudonyms."),
                    FormField(
                        name: ownSettings, label: "Settings of your own", kind: .area,
                        value: others.isEmpty ? "" : whole(others),
                        hint: "A JSON object; programs read them by their names.",
                        placeholder: "{\"new_checkout\": true}"),
                ])
    }

    private static let ownSettings = "others"

    /// All of them: what is shown is what is saved next.
    private static func whole(_ settings: [String: JSONValue]) -> String {
        (try? ModelCoding.encode(settings)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    static func lines(_ list: JSONValue?) -> [String] {
        guard case .array(let elements)? = list else { return [] }
        return elements.compactMap(\.string)
    }

    static func setSDK(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let form = sdkForm([:])
        return try sdk.act(service, request, action: form.action, by: SettingsHandlers.replace) { asked in
            var body = form.body(of: request)
            let others = body.removeValue(forKey: ownSettings)?.string
            for (name, value) in body {
                if let text = value.string { body[name] = plain(text, name) }
                // No hosts or screens are named.
                if value == [] { body[name] = nil }
            }
            if let others {
                guard let object = try? ModelCoding.decode([String: JSONValue].self, from: Data(others.utf8)) else {
                    throw RequestFields.wrong(ownSettings, "must be a JSON object, as {\"new_checkout\": true}")
                }
                body.merge(object) { known, _ in known }
            }
            try asked.set(json: body)
        }
    }

    /// What is neither a truth nor a number is refused by who is told what it should be.
    private static func plain(_ text: String, _ name: String) -> JSONValue {
        if name == recordingSwitch || switches.contains(where: { $0.0 == name }) {
            return text == "true" || text == "false" ? .bool(text == "true") : .string(text)
        }
        guard rates.contains(where: { $0.0 == name }), let number = Double(text) else { return .string(text) }
        return .number(number)
    }

    static let source: Self = Self(
        name: "source", title: "Source links", readers: .read, changers: .admin,
        content: { service, request, outcome in
            let link = try service.store.sourceLink(project: request.requireProject().id)
            return [
                tag("p", [], "Frames of your own code lead to their lines at your code host."),
                SettingsSection.source.mayChange(request)
                    ? sourceForm(link).content(request, outcome)
                    : facts([("Address", link?.template ?? "not set"), ("Without", link?.prefix ?? "nothing")]),
            ]
        })

    private static func sourceForm(_ link: SourceLink?) -> SettingsForm {
        SettingsForm(
            action: "/settings/source", button: "Save",
            fields: [
                FormField(
                    name: "template", label: "Address", value: link?.template ?? "",
                    hint: "With {commit}, {path} and {line} in it. Empty: no links.",
                    placeholder: "https://code.example.com/shop/blob/{commit}/{path}#L{line}"),
                FormField(
                    name: "prefix", label: "What files begin with where they were built", value: link?.prefix ?? "",
                    hint: "It is left out of the path.", placeholder: "/home/ci/shop/"),
            ])
    }

    static func setSource(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let form = sourceForm(nil)
        return try source.act(service, request, action: form.action, by: SourceLinkHandlers.set) {
            try $0.set(json: form.body(of: request))
        }
    }
}
