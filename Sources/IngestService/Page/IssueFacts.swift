// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// What an issue's page shows of the issue, beside its latest event.
struct IssueFacts {
    let issue: Issue
    let days: [EventCount]
    let chart: Chart
    let releaseDays: [ReleaseDay]
    let releases: [IssueValue]
    let history: [IssueHistoryEntry]
    let moves: [IssueMove]
    /// Nil for who may not decide.
    let proof: String?
    let now: Timestamp

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
    var details: [HTML] { [daysTable, releasesTable, variants, movesList, historyList] }

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
        return tag(
            "section", [], tag("h2", [], "By release"),
            ReleaseChart(releaseDays, days: days.isEmpty ? 14 : chart.days.count, now: now).content,
            PageTable(heads: ["Release", "Events", "First seen", "Last seen"], rows: rows).alone(
                named: "Events by release"))
    }

    private var variants: HTML {
        guard issue.stored > 1 else { return .nothing }
        return tag(
            "section", [], tag("h2", [], "Variants"),
            tag("p", [], tag("a", [.href("/issues/\(issue.id)/variants")], "The distinct stacks of this issue")))
    }

    /// Merges and splits, which can be undone.
    private var movesList: HTML {
        guard !moves.isEmpty else { return .nothing }
        let rows = moves.map { move in
            tag(
                "li", [], Words.time(move.at), " ", tag("b", [], .text(move.by)), .text(" \(Self.words(move.kind)) "),
                link(move.source), " → ", link(move.target), undo(move))
        }
        return tag(
            "section", [], tag("h2", [], "Merges and splits"), tag("ol", [.className("history")], children: rows))
    }

    private func link(_ number: Int64) -> HTML {
        number == issue.id ? .text("this issue") : tag("a", [.href("/issues/\(number)")], .text("issue \(number)"))
    }

    private func undo(_ move: IssueMove) -> HTML {
        guard move.undoneAt == nil else { return .text(" (undone)") }
        guard let proof else { return .nothing }
        return tag(
            "form",
            [
                .className("inline"), HTML.Attribute("method", "post"),
                HTML.Attribute("action", "/moves/\(move.id)/undo"),
            ],
            Field.hidden("form", proof), Field.submit("Undo"))
    }

    private static func words(_ kind: IssueMove.Kind) -> String {
        switch kind {
        case .merge: "merged"
        case .split: "split"
        case .fold: "folded"
        }
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
