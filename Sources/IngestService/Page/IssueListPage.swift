// SPDX-License-Identifier: Apache-2.0
import EventStore

/// The list of issues.
enum IssueListPage {
    static func content(_ page: Page<Issue>, isFirst: Bool, project: Project) -> [HTML] {
        guard !page.items.isEmpty else {
            return [tag("h1", [], "Issues"), isFirst ? welcome(project) : tag("p", [], "No more issues.")]
        }
        let more = page.next.map { next in
            tag("p", [.className("more")], tag("a", [.href("/?cursor=" + next.text)], "Older issues"))
        }
        return [
            tag("h1", [], "Issues"),
            tag("ul", [.className("issues")], children: page.items.map(row)),
            more ?? .nothing,
        ]
    }

    private static func row(_ issue: Issue) -> HTML {
        tag(
            "li", [.className("level-\(Words.level(issue.level))")],
            tag("a", [.className("title"), .href("/issues/\(issue.id)")], .text(issue.title)),
            issue.culprit.map { tag("div", [.className("culprit")], tag("code", [], .text($0))) } ?? .nothing,
            tag(
                "div", [.className("facts")],
                tag("span", [.className("badge")], .text(issue.type)),
                tag("span", [], .text(Words.count(issue.events, "event"))),
                tag("span", [], "last ", Words.time(issue.lastSeen)),
                tag("span", [], "first ", Words.time(issue.firstSeen)),
                issue.provisional ? tag("span", [.className("badge waiting")], "waits for symbols") : .nothing))
    }

    private static func welcome(_ project: Project) -> HTML {
        tag(
            "div", [.className("empty")],
            tag("p", [], "Nothing has crashed yet in ", tag("b", [], .text(project.slug)), "."),
            tag("p", [], "Give a program the ingest key, or send a crash record by hand:"),
            tag("pre", [], tag("code", [], "vaka submit FOLDER --url URL --key vk_…")),
            tag("p", [], "Upload debug images so that stacks are readable:"),
            tag("pre", [], tag("code", [], "vaka upload debug PROGRAM --url URL --token va_…")))
    }
}
