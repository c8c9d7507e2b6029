// SPDX-License-Identifier: Apache-2.0
import EventText
import VakaModel

/// The last exchanges before an event, and what the program could tell of. Where there are none, it says why.
struct EventNetworkView {
    private static let most = 100

    let event: Event

    var content: HTML {
        guard event.network != nil || event.capabilities != nil else { return .nothing }
        return tag("section", [], tag("h2", [], "Network"), exchanges, capabilities)
    }

    private var exchanges: HTML {
        let all = event.network?.exchanges ?? []
        guard !all.isEmpty else {
            return NetworkAbsence.words(event).map { tag("p", [], .text($0)) } ?? .nothing
        }
        let rows = all.suffix(Self.most).reversed().map { record in
            tag(
                "li", [], Words.before(record.timestamp, event.timestamp),
                tag(
                    "div", [.className("exchange")], tag("code", [], .text(record.method + " " + record.url)),
                    ExchangeFacts.outcome(record, record.phase),
                    record.knownDuration.map { tag("span", [], .text(ExchangeFacts.span($0))) } ?? .nothing))
        }
        return .group([
            tag("ol", [.className("breadcrumbs")], children: rows),
            all.count > Self.most
                ? tag(
                    "p", [.className("hint")], .text("\(all.count - Self.most) older ones are in the event's document.")
                )
                : .nothing,
        ])
    }

    private var capabilities: HTML {
        guard let capabilities = event.capabilities, !capabilities.isEmpty else { return .nothing }
        let rows = capabilities.prefix(Self.most).map { one in
            PageTable.row(
                tag("code", [], .text(one.id)), .text(Self.words(one)), .text(one.faultEnforcement.rawValue),
                .text(one.faultActions.map(\.rawValue).joined(separator: ", ")))
        }
        return tag(
            "details", [], tag("summary", [], "What the program could tell of"),
            PageTable(heads: ["What", "State", "Fault rules", "Fault actions"], rows: rows)
                .alone(named: "What the program could tell of"))
    }

    private static func words(_ one: CapabilityDescriptor) -> String {
        [one.state.rawValue, one.reason?.rawValue].compactMap { $0 }.joined(separator: " · ")
    }
}
