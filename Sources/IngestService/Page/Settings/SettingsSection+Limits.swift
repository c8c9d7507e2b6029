// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// What may come in a minute, and what is kept for how long.
extension SettingsSection {
    static let limits: Self = Self(
        name: "limits", title: "Limits and retention", readers: .read, changers: .admin,
        content: { service, request, outcome in
            let project = try request.requireProject()
            let kept = try service.store.keptEvents(project: project.id)
            let turnedAway = service.quotas.turnedAway(project: project.id)
            let (rates, keep) = (
                try service.rateLimits(project),
                service.options.limits.retention.overridden(by: try service.store.retention(project: project.id))
            )
            let facts = [
                ("Items a minute", number(rates.projectItems)), ("Items a minute of one key", number(rates.keyItems)),
                ("Events a minute of one issue", number(rates.issueEvents)),
                ("Days that events are kept", number(keep.days)),
                ("Events kept of an issue", number(keep.issueEvents)), ("Events kept in all", number(keep.events)),
                ("Kept now", "\(kept.stored) of \(Words.count(kept.all, "event"))"),
                (
                    "Turned away since the start",
                    "\(Words.count(turnedAway.items, "item")) in \(turnedAway.batches == 1 ? "1 batch" : "\(turnedAway.batches) batches")"
                ),
            ]
            let section = SettingsSection.limits
            return [
                tag("p", [], "As they hold now. An event beyond its issue's rate is counted, and not kept."),
                Self.facts(facts),
                section.mayChange(request)
                    ? .group([
                        tag("h2", [], "Set them for this project"),
                        limitsForm(
                            try service.store.rateLimits(project: project.id),
                            try service.store.retention(project: project.id)
                        ).content(request, outcome),
                    ]) : .nothing,
            ]
        })

    private static func number(_ value: Int?) -> String {
        value.map { $0 == 0 ? "no limit" : String($0) } ?? "no limit"
    }

    private static func limitsForm(_ rates: RateLimits, _ keep: Retention) -> SettingsForm {
        func field(_ name: String, _ label: String, _ value: Int?) -> FormField {
            FormField(name: name, label: label, kind: .number, value: value.map(String.init) ?? "")
        }
        return SettingsForm(
            action: "/settings/limits", button: "Save",
            fields: [
                field("project_items", "Items a minute", rates.projectItems),
                field("key_items", "Items a minute of one key", rates.keyItems),
                field("issue_events", "Events a minute of one issue", rates.issueEvents),
                field("keep_days", "Days that events are kept", keep.days),
                field("keep_issue_events", "Events kept of an issue", keep.issueEvents),
                FormField(
                    name: "keep_events", label: "Events kept in all", kind: .number,
                    value: keep.events.map(String.init) ?? "",
                    hint: "Empty: as the server's options say. 0: no limit. What is beyond goes within the minute."),
            ])
    }

    static func setLimits(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let form = limitsForm(RateLimits(), Retention())
        return try limits.act(service, request, action: form.action, by: LimitHandlers.set) { asked in
            let written = request.form
            for field in form.fields {
                let text = (written[field.name] ?? "").filter { $0 != " " }
                asked.query[field.name] = text.isEmpty ? "default" : text
            }
        }
    }

    /// What is set, for those who only read it too.
    static func facts(_ rows: [(String, String)]) -> HTML {
        tag(
            "dl", [.className("facts-table aligned")],
            children: rows.map { tag("div", [], tag("dt", [], .text($0.0)), tag("dd", [], .text($0.1))) })
    }
}
