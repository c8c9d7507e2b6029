// SPDX-License-Identifier: Apache-2.0

/// A form of an issue's page.
struct IssueForm {
    let issue: Int64
    /// The session's form proof.
    let proof: String

    func of(_ action: String, _ fields: [HTML]) -> HTML {
        tag(
            "form", [HTML.Attribute("method", "post"), HTML.Attribute("action", "/issues/\(issue)/\(action)")],
            children: [Field.hidden("form", proof)] + fields)
    }
}
