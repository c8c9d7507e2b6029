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
            .group(buttons), assignment,
            tag("details", [.className("more")], tag("summary", [], "Comment"), comment),
            tag("details", [.className("more")], tag("summary", [], "Merge"), merge))
    }

    private var merge: HTML {
        form(
            "merge",
            [
                tag("label", [HTML.Attribute("for", "into")], "Into the issue of the number"),
                tag(
                    "input",
                    [
                        HTML.Attribute("id", "into"), HTML.Attribute("name", "into"),
                        HTML.Attribute("inputmode", "numeric"),
                        HTML.Attribute("pattern", "[0-9]{1,18}"), HTML.Attribute("required", ""),
                        HTML.Attribute("size", "8"),
                    ]), Field.submit("Merge"),
                tag("span", [.className("hint")], "Its events and keys go there. It can be undone."),
            ])
    }

    private var buttons: [HTML] {
        switch issue.status {
        case .open, .regressed:
            [button("resolve", "Resolve"), resolveAfter, mute]
        case .resolved, .muted:
            [button("open", "Reopen")]
        }
    }

    private var mute: HTML {
        form(
            "mute",
            [
                Field.submit("Mute"),
                tag("label", [.className("unseen"), HTML.Attribute("for", "term")], "For how long"),
                tag(
                    "select", [HTML.Attribute("id", "term"), HTML.Attribute("name", "term")],
                    children: MuteTerm.allCases.map { term in
                        tag("option", [HTML.Attribute("value", term.rawValue)], .text(term.words))
                    }),
            ])
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
        IssueForm(issue: issue.id, proof: proof).of(action, fields)
    }
}
