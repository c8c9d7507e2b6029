// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// How the releases do, beside each other.
struct ReleasesPage {
    let releases: [Release]
    /// Of the last `days` days, by release and day.
    let health: [ReleaseHealth]
    /// By release.
    let issues: [String: ReleaseIssues]
    let now: Timestamp
    static let days = 14
    /// New issues are counted so far back.
    static let issueDays: Int64 = 90

    var content: [HTML] {
        let title = tag("h1", [], "Releases")
        guard !releases.isEmpty else {
            return [
                title,
                tag(
                    "p", [], "No release is known yet: programs name theirs with ", tag("code", [], "options.release"),
                    " or ", tag("code", [], "VAKA_RELEASE"), "."),
            ]
        }
        let byRelease = Dictionary(grouping: health) { $0.release }
        let all = health.reduce(0) { $0 + $1.sessions }
        let rows = releases.map { release in
            let days = byRelease[release.name] ?? []
            let sessions = days.reduce(0) { $0 + $1.sessions }
            let users = days.reduce(0) { $0 + $1.users }
            return PageTable.row(
                tag("a", [.href(Self.path(of: release.name))], .text(release.name)),
                .text(Words.share(release.sessions - release.crashedSessions, of: release.sessions)),
                .text(Words.share(users - days.reduce(0) { $0 + $1.crashedUsers }, of: users)),
                adoption(days, sessions, of: all), .text(String(release.sessions)),
                seen(issues[release.name]?.new ?? 0, in: release.name, "release:\"\(release.name)\""),
                seen(
                    issues[release.name]?.regressed ?? 0, in: release.name,
                    "status:regressed release:\"\(release.name)\""),
                .text(String(release.crashes)), .text(String(release.events)),
                release.firstSeen.map(Words.time) ?? "–", release.lastSeen.map(Words.time) ?? "–")
        }
        return [
            title,
            PageTable(
                heads: [
                    "Release", "Crash-free sessions", "Crash-free users, by day",
                    "Of the sessions of \(Self.days) days",
                    "Sessions", "New issues", "Regressed", "Crashes", "Events", "First seen", "Last seen",
                ], rows: rows
            ).alone(named: "Releases"),
            tag(
                "p", [.className("hint")],
                .text(
                    "Sessions come from programs that use the SDK; a dash stands where there were none. Users are counted by "
                        + "installation and day. New are issues that were first seen in a release within "
                        + "\(Self.issueDays) days; regressed are those that came back in it and still are so.")),
        ]
    }

    /// Its share of all sessions, and its own by day.
    private func adoption(_ days: [ReleaseHealth], _ sessions: Int, of all: Int) -> HTML {
        let counts = days.map { EventCount(start: $0.day, events: $0.sessions) }
        return tag(
            "div", [.className("adoption")], .text(Words.share(sessions, of: all)),
            sessions == 0 ? .nothing : Chart(counts, days: Self.days, now: now, noun: "session").spark)
    }

    private func seen(_ number: Int, in release: String, _ query: String) -> HTML {
        number == 0
            ? "0"
            : tag("a", [.href("/?sort=first_seen&query=" + FormCoding.encode(query))], .text(String(number)))
    }

    static func path(of release: String) -> String { "/release?name=" + FormCoding.encode(release) }
}

/// One release by day, or two beside each other.
struct ReleasePage {
    let release: Release
    let health: [ReleaseHealth]
    /// Issues that were seen in it, those that were seen first last.
    let issues: [Issue]
    let other: (release: Release, health: [ReleaseHealth])?
    /// To compare with.
    let others: [String]
    let now: Timestamp

    var content: [HTML] {
        [
            tag("h1", [], .text("Release \(release.name)")), comparison,
            byDay(release, health), other.map { byDay($0.release, $0.health) } ?? .nothing, seen,
        ]
    }

    private var comparison: HTML {
        let columns = [(release, health)] + (other.map { [$0] } ?? [])
        func row(_ name: String, _ value: (Release, [ReleaseHealth]) -> String) -> HTML {
            tag(
                "tr", [], tag("th", [HTML.Attribute("scope", "row")], .text(name)),
                .group(columns.map { tag("td", [], .text(value($0.0, $0.1))) }))
        }
        let table = PageTable(
            heads: [""] + columns.map(\.0.name),
            rows: [
                row("Crash-free sessions") { release, _ in
                    Words.share(release.sessions - release.crashedSessions, of: release.sessions)
                },
                row("Sessions") { release, _ in String(release.sessions) },
                row("Crashes") { release, _ in String(release.crashes) },
                row("Events") { release, _ in String(release.events) },
                row("First seen") { release, _ in release.firstSeen.map(Words.minute) ?? "–" },
                row("Last seen") { release, _ in release.lastSeen.map(Words.minute) ?? "–" },
            ])
        return .group([table.alone(named: "The release"), choice])
    }

    private var choice: HTML {
        guard !others.isEmpty else { return .nothing }
        let options =
            [tag("option", [HTML.Attribute("value", "")], "none")]
            + others.map { name in
                tag(
                    "option",
                    [HTML.Attribute("value", name)]
                        + (name == other?.release.name ? [HTML.Attribute("selected", "")] : []), .text(name))
            }
        return tag(
            "form", [.className("search"), HTML.Attribute("method", "get"), HTML.Attribute("action", "/release")],
            Field.hidden("name", release.name), tag("label", [HTML.Attribute("for", "with")], "Beside"),
            tag("select", [HTML.Attribute("id", "with"), HTML.Attribute("name", "with")], children: options),
            Field.submit("Compare"))
    }

    private func byDay(_ release: Release, _ health: [ReleaseHealth]) -> HTML {
        guard !health.isEmpty else {
            return tag(
                "p", [.className("hint")],
                .text("No sessions of \(release.name) in the last \(ReleasesPage.days) days."))
        }
        let rows = health.map { day in
            PageTable.row(
                Words.day(day.day), .text(Words.share(day.sessions - day.crashedSessions, of: day.sessions)),
                .text(String(day.sessions)), .text(String(day.crashedSessions)), .text(String(day.abnormalSessions)),
                .text(Words.share(day.users - day.crashedUsers, of: day.users)), .text(String(day.users)))
        }
        let title = "\(release.name) by day"
        return tag(
            "section", [], tag("h2", [], .text(title)), HealthChart(health, days: ReleasesPage.days, now: now).content,
            PageTable(
                heads: [
                    "Day", "Crash-free sessions", "Sessions", "Crashed", "Abnormal", "Crash-free installations",
                    "Installations",
                ], rows: rows
            ).alone(named: title))
    }

    private var seen: HTML {
        guard !issues.isEmpty else { return tag("p", [], "No issue was seen in it.") }
        let rows = issues.map { issue in
            tag(
                "li", [], tag("a", [.href("/issues/\(issue.id)")], .text(issue.title)), Words.statusBadge(issue),
                release.firstSeen.map { issue.firstSeen >= $0 } == true
                    ? tag("span", [.className("badge waiting")], "not seen before it") : .nothing)
        }
        let all = "/?sort=first_seen&query=" + FormCoding.encode("release:\"\(release.name)\"")
        return tag(
            "section", [], tag("h2", [], "Issues that were seen in it"),
            tag("ul", [.className("history")], children: rows), tag("p", [], tag("a", [.href(all)], "All of them")))
    }
}
