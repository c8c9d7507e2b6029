// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// Whom the project tells of what, and what became of it.
extension SettingsSection {
    private static let mostShown = 50

    static let alerts: Self = Self(
        name: "alerts", title: "Alerts", readers: .read, changers: .admin,
        content: { service, request, outcome in
            let project = try request.requireProject().id
            let mayChange = SettingsSection.alerts.mayChange(request)
            return [
                tag("p", [], "New issues, regressions, spikes and drops of crash-free sessions are told once each."),
                mayChange
                    ? .group([
                        targets(try service.store.alertTargets(project: project), request, outcome),
                        tag("h2", [], "Add a target"), newTarget.content(request, outcome),
                    ]) : .nothing,
                log(try service.store.alerts(project: project, most: mostShown)),
            ]
        })

    private static let newTarget = SettingsForm(
        action: "/settings/alerts", button: "Add the target",
        fields: [
            FormField(
                name: "channel", label: "How",
                kind: .choice([
                    ("webhook", "Webhook: a signed JSON document"),
                    ("slack", "Chat: Slack and those who speak like it"),
                    ("email", "E-mail"),
                ])),
            FormField(
                name: "address", label: "Address", hint: "A URL, or an e-mail address.", isRequired: true),
            FormField(
                name: "kinds", label: "Of what", kind: .boxes(AlertKind.chosen.map { ($0.rawValue, words($0)) }),
                value: AlertKind.chosen.map(\.rawValue).joined(separator: "\n")),
        ])

    private static func words(_ kind: AlertKind) -> String {
        switch kind {
        case .newIssue: "new issues"
        case .regression: "regressions"
        case .spike: "spikes"
        case .crashFreeDrop: "drops of crash-free sessions"
        case .more: "that there was more"
        case .test: "a test"
        }
    }

    private static func targets(_ all: [AlertTarget], _ request: HTTPRequest, _ outcome: FormOutcome) -> HTML {
        guard !all.isEmpty else { return tag("p", [], "Nobody is told yet.") }
        let rows = all.map { target in
            PageTable.row(
                .text(target.address), .text(target.channel.rawValue),
                .text(AlertKind.chosen.filter(target.kinds.contains).map(words).joined(separator: ", ")),
                .group([
                    SettingsForm(action: "/settings/alerts/\(target.id)/test", button: "Send a test", busy: "Sending…")
                        .content(request, outcome),
                    SettingsForm(
                        action: "/settings/alerts/\(target.id)/remove", button: "Remove",
                        caution: "What it was to be told is forgotten."
                    ).content(request, outcome),
                ]))
        }
        return PageTable(heads: ["Address", "How", "Of what", ""], rows: rows).alone(named: "Targets")
    }

    private static func log(_ alerts: [Alert]) -> HTML {
        guard !alerts.isEmpty else {
            return tag("section", [], tag("h2", [], "Told"), tag("p", [], "Nothing was told yet."))
        }
        let rows = alerts.map { alert in
            PageTable.row(
                Words.time(alert.createdAt),
                alert.issue.map { tag("a", [.href("/issues/\($0)")], .text(alert.title)) } ?? .text(alert.title),
                .text(words(alert.kind)), .text(alert.target.channel.rawValue), .text(state(alert)))
        }
        return PageTable(heads: ["When", "What", "Of", "How", "What became of it"], rows: rows).under("Told")
    }

    private static func state(_ alert: Alert) -> String {
        let error = alert.lastError.map { ": \($0)" } ?? ""
        return switch alert.state {
        case .delivered: "delivered"
        case .givenUp: "given up" + error
        case .waiting: alert.attempts == 0 ? "on its way" : "tried \(Words.count(alert.attempts, "time"))" + error
        }
    }

    static func addTarget(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try alerts.act(
            service, request, action: newTarget.action, by: AlertHandlers.add,
            { try $0.set(json: newTarget.body(of: request)) },
            told: {
                let made = try ModelCoding.decode(JSONValue.self, from: $0)
                return made["secret"]?.string.map {
                    secret($0, "The target was added. Its documents are signed with this secret.")
                }
            })
    }

    static func removeTarget(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try alerts.act(service, request, action: request.path, by: AlertHandlers.remove) { _ in }
    }

    static func testTarget(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try alerts.act(
            service, request, action: request.path, by: AlertHandlers.test, { _ in },
            told: {
                let alert = try ModelCoding.decode(JSONValue.self, from: $0)
                let error = alert["last_error"]?.string
                return alert["state"]?.string == "delivered"
                    ? notice("The test was delivered.")
                    : SettingsForm.alert(
                        "The test did not arrive: \(error ?? "no answer yet"). It is tried again; the list below tells."
                    )
            })
    }
}
