// SPDX-License-Identifier: Apache-2.0
import EventStore

/// The list of issues.
struct IssueListPage {
    let page: Page<Issue>
    /// By issue.
    let charts: [Int64: Chart]
    let isFirst: Bool
    let project: Project
    let query: String
    let sort: IssueQuery.Sort

    var content: [HTML] {
        [tag("h1", [], "Issues"), search] + (page.items.isEmpty ? [nothingHere] : [list, more])
    }

    private var list: HTML {
        tag("ul", [.className("issues")], children: page.items.map(row))
    }

    private var more: HTML {
        guard let next = page.next else { return .nothing }
        let path = "/?query=\(FormCoding.encode(query))&sort=\(sort.rawValue)&cursor=\(next.text)"
        return tag("p", [.className("more")], tag("a", [.href(path)], "More issues"))
    }

    /// An empty project is greeted, an empty answer is said to be one.
    private var nothingHere: HTML {
        guard isFirst else { return tag("p", [], "No more issues.") }
        return query.isEmpty || query == PageHandlers.usualQuery
            ? Self.welcome(project) : tag("p", [], "No issue fits this query.")
    }

    private var search: HTML {
        tag(
            "form",
            [
                .className("search"), HTML.Attribute("role", "search"), HTML.Attribute("method", "get"),
                HTML.Attribute("action", "/"),
            ],
            .group(Field.labelled("query", "Search", value: query, type: "search")),
            tag("label", [HTML.Attribute("for", "sort")], "by"),
            tag(
                "select", [HTML.Attribute("id", "sort"), HTML.Attribute("name", "sort")],
                children: IssueQuery.Sort.allCases.map { order in
                    tag(
                        "option",
                        [HTML.Attribute("value", order.rawValue)]
                            + (order == sort ? [HTML.Attribute("selected", "")] : []),
                        .text(order.rawValue.replacing("_", with: " ")))
                }), Field.submit("Search"))
    }

    private func row(_ issue: Issue) -> HTML {
        tag(
            "li", [.className("level-\(Words.level(issue.level))")],
            tag(
                "div", [.className("head")],
                tag("a", [.className("title"), .href("/issues/\(issue.id)")], .text(issue.title)),
                charts[issue.id]?.spark ?? .nothing),
            issue.culprit.map { tag("div", [.className("culprit")], tag("code", [], .text($0))) } ?? .nothing,
            tag(
                "div", [.className("facts")],
                Words.statusBadge(issue), tag("span", [.className("badge")], .text(issue.type)),
                tag("span", [], .text(Words.count(issue.events, "event"))),
                tag("span", [], .text(Words.count(issue.users, "user"))),
                issue.assignee.map { tag("span", [], .text("assigned to \($0)")) } ?? .nothing,
                tag("span", [], "last ", Words.time(issue.lastSeen)),
                tag("span", [], "first ", Words.time(issue.firstSeen)),
                issue.provisional ? tag("span", [.className("badge waiting")], "waits for symbols") : .nothing))
    }

    private static func welcome(_ project: Project) -> HTML {
        tag(
            "div", [.className("empty")],
            tag("p", [], "No open issue in ", tag("b", [], .text(project.slug)), "."),
            tag("p", [], "Give a program the ingest key, or send a crash record by hand:"),
            tag("pre", [], tag("code", [], "vaka submit FOLDER --url URL --key vk_…")),
            tag("p", [], "Upload debug images so that stacks are readable:"),
            tag("pre", [], tag("code", [], "vaka upload debug PROGRAM --url URL --token va_…")))
    }
}
