// SPDX-License-Identifier: Apache-2.0
import DebugImages
import EventStore
import VakaModel

/// What could not be worked on, why, and what can be done about it.
struct PoisonView {
    private static let most = 50
    /// Of these kinds only what is damaged is kept as it came.
    private static let known: Set<String> = ["event", "session", "attachment", "client_report"]

    private let items: [KeptItem]
    private let images: [(path: String?, reason: String, at: Timestamp)]
    private let unsymbolicated: Int
    private let request: HTTPRequest
    private let outcome: FormOutcome

    init(_ service: Service, _ request: HTTPRequest, _ outcome: FormOutcome) throws {
        items = try service.store.keptItems(project: try request.requireProject().id, limit: Self.most)
        images = request.caller?.may(.server) == true ? service.malformed.remembered() : []
        let name = Metrics.Counter.eventsUnsymbolicated.rawValue
        unsymbolicated = service.metrics.counts.first { $0.name == name }?.value ?? 0
        self.request = request
        self.outcome = outcome
    }

    var content: HTML {
        tag(
            "section", [], tag("h2", [], "What could not be worked on"), keptAsTheyCame, malformed, events)
    }

    private var keptAsTheyCame: HTML {
        guard !items.isEmpty else { return tag("p", [], "Every item of this project could be read.") }
        let rows = items.map { item in
            PageTable.row(
                tag("code", [], .text(item.itemID)), .text(item.kind), Words.time(item.receivedAt),
                .text(Words.size(UInt64(max(0, item.bytes)))),
                .text(
                    Self.known.contains(item.kind)
                        ? "cannot be read: its program sends what is no valid \(item.kind)"
                        : "of a kind that this version does not know"))
        }
        return .group([
            PageTable(heads: ["Item", "Kind", "Came", "Size", "Why"], rows: rows).alone(named: "Items set aside"),
            tag(
                "p", [.className("hint")],
                "They are kept as they came until the retention's days are over, and hold nothing up. ",
                "A program that sends such has a newer or a broken SDK: what it sends again, and right, is taken."),
        ])
    }

    private var malformed: HTML {
        guard !images.isEmpty else { return .nothing }
        let rows = images.prefix(Self.most).map { image in
            PageTable.row(
                tag("code", [], .text(image.path ?? "an upload that was refused")), .text(image.reason),
                Words.time(image.at))
        }
        return .group([
            PageTable(heads: ["Image", "Why it is not read", "Since"], rows: Array(rows)).alone(
                named: "Images set aside"),
            SettingsForm(
                action: "/operation/forget-malformed", button: "Try them again",
                caution: "Events that need them then cost a worker once more, if it ends over them again."
            ).content(request, outcome),
        ])
    }

    private var events: HTML {
        .group([
            tag(
                "p", [],
                .text(
                    unsymbolicated == 0
                        ? "No event failed in the symbolicator since the start."
                        : "\(Words.count(unsymbolicated, "event")) failed in the symbolicator since the start; each says why under what was lost."
                )),
            request.caller?.may(.admin) == true
                ? .group([tag("h3", [], "Work again on what is stored"), Self.again.content(request, outcome)])
                : .nothing,
        ])
    }

    static let again = SettingsForm(
        action: "/operation/reprocess", button: "Work on them again",
        fields: [
            FormField(
                name: "days", label: "Events of the last days", kind: .number, value: "1",
                hint: "Those whose reports are kept are symbolicated and grouped anew.", isRequired: true)
        ], busy: "Queueing…")
}
