// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import Grouping
import VakaModel

/// Why an event belongs to its issue: its keys, and what was made of each frame.
struct GroupingPage {
    private static let mostFrames = 500

    let summary: EventSummary
    let grouping: GroupingResult
    /// Nil for who may not decide.
    let proof: String?

    var content: [HTML] {
        [
            tag("h1", [], "Why it is in this issue"),
            tag(
                "p", [], tag("a", [.href("/events/" + FormCoding.encode(summary.eventID))], .text(summary.title)),
                .text(", "), tag("a", [.href("/issues/\(summary.issue)")], .text("issue \(summary.issue)"))),
            tag("p", [], .text(basis)), keys, frames, split,
        ]
    }

    private var basis: String {
        switch grouping.basis {
        case .names: "It is recognised by the names of the functions marked as kept, wherever they are in the file."
        case .addresses: "Symbols are missing: it is recognised by addresses until they come."
        case .remnants:
            "No frame of the program's own is known, and symbols or frames are missing: different problems may share this "
                + "issue until they come."
        }
    }

    private var keys: HTML {
        let rows = grouping.keys.map { key in
            tag(
                "li", [], tag("b", [], .text(Self.words(key.kind))), " ", tag("code", [], .text(key.value)),
                tag(
                    "details", [], tag("summary", [], "Made of"),
                    tag(
                        "pre", [HTML.Attribute("tabindex", "0")],
                        tag("code", [], .text(key.material.prefix(200).joined(separator: "\n"))))))
        }
        return tag("section", [], tag("h2", [], "Keys"), tag("ol", [.className("history")], children: rows))
    }

    private var frames: HTML {
        guard !grouping.explain.isEmpty else { return .nothing }
        let rows = grouping.explain.prefix(Self.mostFrames).map { frame in
            PageTable.row(
                .text(String(frame.index)), .text(frame.kept ? "kept" : "dropped"),
                tag("code", [], .text(frame.function)),
                .text(frame.module ?? "–"), tag("span", [], tag("b", [], .text(frame.rule)), .text(" " + frame.why)))
        }
        return PageTable(heads: ["Frame", "", "Function", "Module", "Why"], rows: rows).under("Frames")
    }

    private var split: HTML {
        guard let proof else { return .nothing }
        return tag(
            "section", [], tag("h2", [], "It does not belong here?"),
            IssueForm(issue: summary.issue, proof: proof).of(
                "split",
                [Field.hidden("event", summary.eventID), Field.submit("Make this event an issue of its own")]))
    }

    private static func words(_ kind: GroupingKey.Kind) -> String {
        switch kind {
        case .functions: "Functions"
        case .addresses: "Addresses"
        case .message: "Message"
        case .client: "Set by the program"
        }
    }

    /// `GET /events/{id}/grouping`
    static func show(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let stored = try IssueHandlers.findEvent(service, request)
        let grouping = try ModelCoding.read(
            GroupingResult.self, from: try Zstandard.decompress(Data(stored.grouping)))
        let page = GroupingPage(
            summary: stored.summary, grouping: grouping,
            proof: request.caller?.may(.write) == true ? WebPage.proof(request) : nil)
        return WebPage(request, title: "Grouping", section: .issues, content: page.content).response()
    }
}
