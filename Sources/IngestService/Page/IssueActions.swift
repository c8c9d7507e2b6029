// SPDX-License-Identifier: Apache-2.0
import EventStore

/// The buttons of an issue's page: each a form of its own, for pages hold no script.
struct IssueActions {
    let issue: Issue
    /// The session's form proof.
    let proof: String
    /// The newest release that the issue was seen in, to resolve it after.
    let newestRelease: String?

    var content: HTML {
        tag(
            "section", [HTML.Attribute("aria-label", "What to do with it"), .className("actions")],
            .group(buttons), assignment, comment)
    }

    private var buttons: [HTML] {
        switch issue.status {
        case .open, .regressed:
            [button("resolve", "Resolve"), resolveAfter, button("mute", "Mute")]
        case .resolved, .muted:
            [button("open", "Reopen")]
        }
    }

    private var resolveAfter: HTML {
        guard let newestRelease else { return .nothing }
        return form(
            "resolve", [Field.hidden("after_release", newestRelease), Field.submit("Resolve after \(newestRelease)")])
    }

    private func button(_ action: String, _ words: String) -> HTML {
        form(action, [Field.submit(words)])
    }

    private var assignment: HTML {
        form(
            "assign",
            Field.labelled("assignee", "Assigned to", value: issue.assignee ?? "")
                + [Field.submit("Assign")])
    }

    private var comment: HTML {
        form(
            "comment",
            [
                tag("label", [HTML.Attribute("for", "text")], "Comment"),
                tag(
                    "textarea",
                    [
                        HTML.Attribute("id", "text"), HTML.Attribute("name", "text"), HTML.Attribute("rows", "3"),
                        HTML.Attribute("required", ""),
                        HTML.Attribute("maxlength", String(TriageHandlers.longestComment)),
                    ]), Field.submit("Comment"),
            ])
    }

    private func form(_ action: String, _ fields: [HTML]) -> HTML {
        tag(
            "form", [HTML.Attribute("method", "post"), HTML.Attribute("action", "/issues/\(issue.id)/\(action)")],
            children: [Field.hidden("form", proof)] + fields)
    }
}
