// SPDX-License-Identifier: Apache-2.0
import EventStore

/// What an issue's page shows of the issue, beside its latest event.
struct IssueFacts {
    let issue: Issue
    let days: [EventCount]
    let chart: Chart
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
        guard !days.isEmpty else { return .nothing }
        let rows = days.reversed().map { PageTable.row(Words.day($0.start), .text(String($0.events))) }
        return tag(
            "section", [], tag("h2", [], "By day"), chart.wide,
            tag(
                "details", [], tag("summary", [], "As a table"),
                PageTable(heads: ["Day", "Events"], rows: rows).alone(named: "Events by day")))
    }

    private var releasesTable: HTML {
        guard !releases.isEmpty else { return .nothing }
        let rows = releases.map { release in
            PageTable.row(
                .text(release.value), .text(String(release.events)), Words.time(release.firstSeen),
                Words.time(release.lastSeen))
        }
        return PageTable(heads: ["Release", "Events", "First seen", "Last seen"], rows: rows).under("By release")
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
