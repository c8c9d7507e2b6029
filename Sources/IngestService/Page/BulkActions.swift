// SPDX-License-Identifier: Apache-2.0
import EventStore

/// What is done to the chosen issues of a list, all at once.
struct BulkActions {
    private static let prefix = "issue-"
    private static let longestList = 160

    private enum Action: String {
        case resolve, mute, open, assign
    }

    let request: HTTPRequest

    init(_ request: HTTPRequest) {
        self.request = request
    }

    /// The box that chooses an issue.
    static func box(_ issue: Issue) -> HTML {
        tag(
            "input",
            [
                .className("choose"), HTML.Attribute("type", "checkbox"),
                HTML.Attribute("name", prefix + String(issue.id)),
                HTML.Attribute("aria-label", "Choose: \(issue.title)"),
            ])
    }

    func form(around list: HTML) -> HTML {
        tag(
            "form", [HTML.Attribute("method", "post"), HTML.Attribute("action", "/issues")],
            Field.hidden("form", WebPage.proof(request)), Field.hidden("next", PageForm.here(request)),
            tag(
                "fieldset", [.className("bulk")], tag("legend", [], "With the chosen:"), chooseAll,
                Self.button(.resolve, "Resolve"), Self.button(.mute, "Mute"), Self.button(.open, "Open again"),
                .group(Field.labelled("assignee", "to", value: "")), Self.button(.assign, "Assign")), list)
    }

    private var chooseAll: HTML {
        tag(
            "label", [HTML.Attribute("hidden", "")],
            tag("input", [HTML.Attribute("type", "checkbox"), HTML.Attribute("data-all", "")]), " all")
    }

    private static func button(_ action: Action, _ words: String) -> HTML {
        tag(
            "button",
            [
                .className("quiet"), HTML.Attribute("type", "submit"), HTML.Attribute("name", "action"),
                HTML.Attribute("value", action.rawValue),
            ], .text(words))
    }

    /// `POST /issues`
    static func apply(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try PageForm.requireOwn(request)
        let form = request.form
        let chosen = form.keys.compactMap { $0.hasPrefix(prefix) ? Int64($0.dropFirst(prefix.count)) : nil }
        let change = try change(form)
        var done: [Int64] = []
        var told: String { "\(form["action"] ?? "") \(listed(done))" }
        for issue in chosen.sorted() {
            var one = request
            one.parameters["id"] = String(issue)
            do {
                _ = try TriageHandlers.apply([change], service, one, by: PageForm.actor(request))
                done.append(issue)
            } catch let error as APIError where error.status == 404 {
                continue  // It was removed meanwhile.
            } catch {
                // Those before it stay changed.
                if !done.isEmpty {
                    try? service.audit("POST /issues", request, actor: request.caller?.name, target: told)
                }
                throw error
            }
        }
        var response = HTTPResponse.redirect(to: LoginHandlers.safe(form["next"]))
        response.subject = told
        return response
    }

    /// So many of the issues as the audit log has room for, and how many more there are.
    static func listed(_ issues: [Int64]) -> String {
        var shown: [String] = []
        var length = 0
        for issue in issues.map(String.init) {
            length += issue.utf8.count + 1
            guard length <= longestList else { break }
            shown.append(issue)
        }
        let rest = issues.count - shown.count
        return shown.joined(separator: " ") + (rest > 0 ? " and \(rest) more" : "")
    }

    private static func change(_ form: [String: String]) throws -> IssueChange {
        switch form["action"].flatMap(Action.init) {
        case .resolve?: .resolve(.now)
        case .mute?: .mute(.forever)
        case .open?: .open
        case .assign?: .assign(PageForm.text(form["assignee"], longest: RequestFields.longestName))
        case nil: throw RequestFields.wrong("action", "must be resolve, mute, open or assign")
        }
    }
}
