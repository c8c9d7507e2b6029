// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// What went over a network, and how it went.
struct NetworkPage {
    let query: NetworkQuery
    let exchanges: Page<StoredExchange>
    let timings: [RouteTiming]
    let diagnostics: [StoredDiagnostic]

    var content: [HTML] { [tag("h1", [], "Network"), search, states, list, times, refused] }

    private var search: HTML {
        tag(
            "form", [.className("search"), HTML.Attribute("method", "get"), HTML.Attribute("action", "/network")],
            children: (query.state.map { [Field.hidden("state", $0.rawValue)] } ?? [])
                + Field.labelled("site", "Host", value: query.site ?? "")
                + Field.labelled("route", "Route", value: query.route ?? "") + [Field.submit("Show")])
    }

    private var states: HTML {
        let choices: [(String, NetworkQuery.State?)] = [
            ("All", nil), ("In flight", .live), ("Failed", .error), ("Slow", .slow),
        ]
        return tag(
            "nav", [.className("filters"), HTML.Attribute("aria-label", "Records by what came of them")],
            children: choices.map { words, state in
                tag(
                    "a",
                    [.href(address(of: state))]
                        + (state == query.state ? [HTML.Attribute("aria-current", "true")] : []), .text(words))
            })
    }

    private static func query(site: String, route: String) -> NetworkQuery {
        var query = NetworkQuery()
        (query.site, query.route) = (site, route)
        return query
    }

    /// Of what is shown, but for its state.
    private func address(of state: NetworkQuery.State?) -> String { Self.address(state, query) }

    private static func address(_ state: NetworkQuery.State?, _ query: NetworkQuery) -> String {
        let slow = query.slow == NetworkQuery.usualSlow ? nil : String(Int(query.slow))
        let parts = [
            ("state", state?.rawValue), ("slow_ms", slow), ("site", query.site), ("route", query.route),
            ("request_id", query.requestID), ("install_id", query.installID),
        ].compactMap { name, value in value.map { "\(name)=" + FormCoding.encode($0) } }
        return parts.isEmpty ? "/network" : "/network?" + parts.joined(separator: "&")
    }

    private var list: HTML {
        guard !exchanges.items.isEmpty else {
            return tag(
                "p", [],
                query == NetworkQuery()
                    ? "No program has told of its network: it records what its host registers." : "There is none.")
        }
        let rows = exchanges.items.map { exchange in
            PageTable.row(
                tag("a", [.href("/network/\(exchange.id)")], .text(exchange.record.method + " " + exchange.record.url)),
                ExchangeFacts.outcome(exchange.record, exchange.phase),
                .text(ExchangeFacts.duration(exchange.record)), .text(exchange.record.protocolName ?? "–"),
                Words.time(exchange.record.timestamp))
        }
        let more = exchanges.next.map { next in
            let address = address(of: query.state)
            return tag(
                "p", [.className("more")],
                tag(
                    "a", [.href(address + (address.contains("?") ? "&" : "?") + "cursor=" + next.text)],
                    "Older records"))
        }
        return .group([
            PageTable(heads: ["Exchange", "Outcome", "Duration", "Protocol", "When"], rows: rows)
                .alone(named: "Network records"), more ?? .nothing,
        ])
    }

    private var times: HTML {
        guard !timings.isEmpty else { return .nothing }
        let rows = timings.map { timing in
            PageTable.row(
                tag(
                    "a", [.href(Self.address(nil, Self.query(site: timing.site, route: timing.route)))],
                    .text(timing.site.isEmpty ? timing.route : timing.site + " " + timing.route)),
                .text(String(timing.exchanges)), .text(Words.share(timing.errors, of: timing.exchanges)),
                .text(ExchangeFacts.span(timing.p50)), .text(ExchangeFacts.span(timing.p95)),
                .text(ExchangeFacts.span(timing.p99)), .text(ExchangeFacts.size(timing.meanSent)),
                .text(ExchangeFacts.size(timing.meanReceived)))
        }
        return .group([
            PageTable(
                heads: [
                    "Host and route", "Exchanges", "Failed", "p50", "p95", "p99", "Sent, on average",
                    "Received, on average",
                ], rows: rows
            ).under("How exchanges went"),
            tag(
                "p", [.className("hint")],
                .text(
                    "Those that ended in the last \(NetworkHandlers.usualDays) days, the latest "
                        + "\(NetworkHandlers.mostMeasured) at most. What looks like an id in a path is {id}.")),
        ])
    }

    private var refused: HTML {
        guard !diagnostics.isEmpty else { return .nothing }
        let rows = diagnostics.map { one in
            PageTable.row(
                Words.time(one.at), .text(one.level), tag("code", [], .text(one.code)),
                tag("code", [], .text(one.installID ?? "–")), tag("code", [], .text(one.message)))
        }
        return PageTable(heads: ["When", "Level", "Code", "Installation", "What"], rows: rows)
            .under("What could not be read")
    }
}
