// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// The screen recordings of a project.
struct RecordingListPage {
    let query: RecordingQuery
    let recordings: Page<RecordingSummary>

    var content: [HTML] { [tag("h1", [], "Recordings"), search, list] }

    private var search: HTML {
        tag(
            "form", [.className("search"), HTML.Attribute("method", "get"), HTML.Attribute("action", "/recordings")],
            children: [
                ("session", "Session", query.session), ("user", "User", query.user),
                ("release", "Release", query.release),
            ].map { name, words, value in
                tag("div", [.className("pair")], children: Field.labelled(name, words, value: value ?? ""))
            } + [Field.submit("Show")])
    }

    private static func address(_ query: RecordingQuery) -> String {
        let parts = [("session", query.session), ("user", query.user), ("release", query.release)]
            .compactMap { name, value in value.map { "\(name)=" + FormCoding.encode($0) } }
        return parts.isEmpty ? "/recordings" : "/recordings?" + parts.joined(separator: "&")
    }

    /// Of a session.
    static func address(session: String) -> String { address(RecordingQuery(session: session)) }

    private static func link(_ query: RecordingQuery, _ words: String?) -> HTML {
        words.map { tag("a", [.href(address(query))], .text($0)) } ?? "–"
    }

    private var list: HTML {
        guard !recordings.items.isEmpty else {
            return tag(
                "p", [],
                query == RecordingQuery()
                    ? "No screen was recorded: programs do so when the project's SDK switches say so."
                    : "There is none.")
        }
        let rows = recordings.items.map { one in
            PageTable.row(
                tag("a", [.href("/recordings/" + FormCoding.encode(one.recordingID))], Words.time(one.started)),
                .text(Words.span(max(0, one.ended.milliseconds - one.started.milliseconds))),
                .text(String(one.frames)), Self.link(RecordingQuery(session: one.sessionID), one.sessionID),
                Self.link(RecordingQuery(user: one.user), one.user),
                Self.link(RecordingQuery(release: one.release), one.release),
                one.eventID.map { tag("a", [.href("/events/" + FormCoding.encode($0))], "its last moments") } ?? "–")
        }
        let more = recordings.next.map { next in
            let address = Self.address(query)
            return tag(
                "p", [.className("more")],
                tag(
                    "a", [.href(address + (address.contains("?") ? "&" : "?") + "cursor=" + next.text)],
                    "Older recordings"))
        }
        return .group([
            PageTable(
                heads: ["Recorded from", "For", "Frames", "Session", "User", "Release", "Event"], rows: rows
            ).alone(named: "Screen recordings"), more ?? .nothing,
        ])
    }
}
