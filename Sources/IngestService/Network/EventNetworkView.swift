// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The last exchanges before an event, and what the program could tell of. Where there are none, it says why.
struct EventNetworkView {
    private static let most = 100
    private static let transports = "network.transport."

    let event: Event

    var content: HTML {
        guard event.network != nil || event.capabilities != nil else { return .nothing }
        return tag("section", [], tag("h2", [], "Network"), exchanges, capabilities)
    }

    private var exchanges: HTML {
        let all = event.network?.exchanges ?? []
        guard !all.isEmpty else { return tag("p", [], .text(whyNone)) }
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

    /// By what can be told of transports.
    private var whyNone: String {
        let known = (event.capabilities ?? []).filter { $0.id.hasPrefix(Self.transports) }
        guard !known.isEmpty else { return "No requests are shown: the program tells nothing of its network." }
        if known.contains(where: { $0.state == .supported }) {
            return "No requests are shown: none was made over what the host has registered."
        }
        let reasons = known.compactMap(\.reason)
        let why =
            if reasons.contains(.networkCaptureNotInitialized) || reasons.contains(.notInitialized) {
                "the SDK was not started with network capture"
            } else if reasons.contains(.networkCaptureDisabled) {
                "network capture is switched off"
            } else if reasons.contains(.hostOptIn) {
                "the host has not registered any of its transports"
            } else {
                "no transport of the program can be captured"
            }
        return "No requests are shown: \(why)."
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
