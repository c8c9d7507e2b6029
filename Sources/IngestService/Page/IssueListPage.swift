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
    /// Nil where the reader may not change issues.
    let bulk: BulkActions?

    var content: [HTML] {
        [tag("h1", [], "Issues"), search, statuses, news]
            + (page.items.isEmpty ? [nothingHere, list] : [bulk?.form(around: list) ?? list, more, KeysHelp.content])
    }

    private var list: HTML {
        tag("ul", [.className("issues")] + live, children: page.items.map(row))
    }

    /// Where the page's script says what came since the page was loaded.
    private var news: HTML {
        tag("div", [HTML.Attribute("id", "news"), HTML.Attribute("aria-live", "polite")])
    }

    /// Only the first page follows what comes.
    private var live: [HTML.Attribute] {
        guard isFirst else { return [] }
        return [
            HTML.Attribute("data-live", "/issues.json?" + address), HTML.Attribute("data-seconds", "10"),
        ]
    }

    private var address: String { "query=\(FormCoding.encode(query))&sort=\(sort.rawValue)" }

    private var more: HTML {
        guard let next = page.next else { return .nothing }
        return tag(
            "p", [.className("more")], tag("a", [.href("/?\(address)&cursor=\(next.text)")], "More issues"))
    }

    /// The usual filters, a click away; the query says all else.
    private var statuses: HTML {
        let choices = [
            ("Unresolved", PageHandlers.usualQuery), ("Regressed", "status:regressed"), ("Resolved", "status:resolved"),
            ("Muted", "status:muted"), ("All", ""),
        ]
        return tag(
            "nav", [.className("filters"), HTML.Attribute("aria-label", "Issues by status")],
            children: choices.map { words, choice in
                tag(
                    "a",
                    [.href("/?query=\(FormCoding.encode(choice))&sort=\(sort.rawValue)")]
                        + (choice == query ? [HTML.Attribute("aria-current", "true")] : []), .text(words))
            })
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
            "li",
            [
                .className("level-\(Words.level(issue.level))" + (bulk == nil ? "" : " chosen-by")),
                HTML.Attribute("data-issue", String(issue.id)),
            ],
            tag(
                "div", [.className("head")],
                bulk == nil ? .nothing : BulkActions.box(issue),
                tag("a", [.className("title"), .href("/issues/\(issue.id)")], .text(issue.title)),
                charts[issue.id]?.spark ?? .nothing),
            issue.culprit.map { tag("div", [.className("culprit")], tag("code", [], .text($0))) } ?? .nothing,
            tag(
                "div", [.className("facts")],
                Words.statusBadge(issue), tag("span", [.className("badge")], .text(issue.type)),
                tag("span", [HTML.Attribute("data-fact", "events")], .text(Words.count(issue.events, "event"))),
                tag("span", [HTML.Attribute("data-fact", "users")], .text(Words.count(issue.users, "user"))),
                tag("span", [], .text(Words.count(issue.releases, "release"))),
                issue.assignee.map { tag("span", [], .text("assigned to \($0)")) } ?? .nothing,
                tag("span", [], "last ", Words.ago(issue.lastSeen)),
                tag("span", [], "first ", Words.time(issue.firstSeen)),
                issue.provisional ? tag("span", [.className("badge waiting")], "waits for symbols") : .nothing))
    }

    private static func welcome(_ project: Project) -> HTML {
        tag(
            "div", [.className("empty")],
            tag("p", [], "No open issue in ", tag("b", [], .text(project.slug)), "."),
            tag(
                "p", [], tag("a", [.className("button"), .href("/start")], "Link a program"),
                " and watch its first crash arrive."))
    }
}
