// SPDX-License-Identifier: Apache-2.0
import EventStore

/// What an issue's page shows of the issue, beside its latest event.
struct IssueFacts {
    let issue: Issue
    let days: [EventCount]
    let releases: [IssueValue]
    let history: [IssueHistoryEntry]

    /// Before the event.
    var summary: HTML {
        tag(
            "div", [.className("facts")], Words.statusBadge(issue),
            tag("span", [], .text(Words.events(of: issue))),
            tag("span", [], .text(Words.count(issue.users, "user"))),
            tag("span", [], .text(Words.count(issue.releases, "release"))),
            issue.assignee.map { tag("span", [], .text("assigned to \($0)")) } ?? .nothing,
            tag("span", [], "first ", Words.time(issue.firstSeen)), tag("span", [], "last ", Words.time(issue.lastSeen))
        )
    }

    /// After it.
    var details: [HTML] { [daysTable, releasesTable, historyList] }

    private var daysTable: HTML {
        guard let most = days.map(\.events).max() else { return .nothing }
        let rows = days.reversed().map { day in
            tag(
                "tr", [], tag("th", [HTML.Attribute("scope", "row")], Words.day(day.start)),
                tag("td", [], .text(String(day.events))),
                tag(
                    "td", [HTML.Attribute("aria-hidden", "true")],
                    tag(
                        "meter",
                        [HTML.Attribute("max", String(most)), HTML.Attribute("value", String(day.events))])))
        }
        return table("By day", ["Day", "Events", ""], rows)
    }

    private var releasesTable: HTML {
        guard !releases.isEmpty else { return .nothing }
        let rows = releases.map { release in
            tag(
                "tr", [], tag("th", [HTML.Attribute("scope", "row")], .text(release.value)),
                tag("td", [], .text(String(release.events))), tag("td", [], Words.time(release.firstSeen)),
                tag("td", [], Words.time(release.lastSeen)))
        }
        return table("By release", ["Release", "Events", "First seen", "Last seen"], rows)
    }

    private func table(_ title: String, _ heads: [String], _ rows: [HTML]) -> HTML {
        let head = tag("tr", [], children: heads.map { tag("th", [HTML.Attribute("scope", "col")], .text($0)) })
        return tag(
            "section", [], tag("h2", [], .text(title)),
            tag(
                "div", [.className("wide"), HTML.Attribute("tabindex", "0")],
                tag("table", [], tag("thead", [], head), tag("tbody", [], children: rows))))
    }

    private var historyList: HTML {
        guard !history.isEmpty else { return .nothing }
        let rows = history.map { entry in
            tag(
                "li", [], Words.time(entry.at), " ", tag("b", [], .text(entry.by)), .text(" " + entry.change + " "),
                entry.text.map { tag("span", [.className("text")], .text($0)) } ?? .nothing,
                entry.otherIssue.map { tag("a", [.href("/issues/\($0)")], .text("issue \($0)")) } ?? .nothing)
        }
        return tag(
            "section", [], tag("h2", [], "What was done with it"), tag("ol", [.className("history")], children: rows))
    }
}
