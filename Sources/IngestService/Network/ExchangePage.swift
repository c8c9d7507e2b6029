// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// All of one network record.
struct ExchangePage {
    let exchange: StoredExchange

    private var record: NetworkRequestEvent { exchange.record }

    var content: [HTML] {
        [
            tag("h1", [], .text(record.method + " " + record.url)), FactsTable.of(facts),
            headers("Request headers", record.requestHeaders), body("Request body", record.requestBody),
            headers("Response headers", record.responseHeaders), body("Response body", record.responseBody), others,
            metadata,
        ]
    }

    private var facts: [(String, HTML)] {
        var rows: [(String, HTML)] = [
            ("Outcome", ExchangeFacts.outcome(record, exchange.phase)), ("When", Words.time(record.timestamp)),
            ("Duration", .text(ExchangeFacts.duration(record))),
            ("Request body", .text(ExchangeFacts.size(record.requestBodySize))),
            ("Response body", .text(ExchangeFacts.size(record.responseBodySize))),
        ]
        let texts: [(String, String?)] = [
            ("Host", record.host), ("Path", record.path), ("Protocol", record.protocolName),
            ("Content type", record.contentType), ("Direction", record.direction?.rawValue),
            ("Exchange", record.requestID), ("Connection", record.connectionID),
            ("Number", record.sequenceNumber.map { String($0) }), ("Phase", exchange.phase.rawValue),
            ("Installation", exchange.installID),
        ]
        rows += texts.compactMap { name, text in text.map { (name, .text($0)) } }
        return rows
    }

    private func headers(_ title: String, _ headers: [String: String]?) -> HTML {
        guard let headers, !headers.isEmpty else { return .nothing }
        return tag(
            "section", [], tag("h2", [], .text(title)),
            FactsTable.of(headers.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) }))
    }

    private func body(_ title: String, _ text: String?) -> HTML {
        guard let text else { return .nothing }
        return tag(
            "section", [], tag("h2", [], .text(title)),
            text.isEmpty
                ? tag("p", [], "Nothing was captured of it.")
                : tag(
                    "pre", [HTML.Attribute("tabindex", "0"), HTML.Attribute("aria-label", title)], .text(text)))
    }

    private var metadata: HTML {
        guard let metadata = record.metadata, !metadata.isEmpty else { return .nothing }
        return tag(
            "section", [], tag("h2", [], "Metadata"),
            FactsTable.of(metadata.sorted { $0.key < $1.key }.map { ($0.key, .text(ValueText.of($0.value))) }))
    }

    private var others: HTML {
        guard let id = record.requestID else { return .nothing }
        // Another installation may have the same id.
        let from = exchange.installID.map { "&install_id=" + FormCoding.encode($0) } ?? ""
        return tag(
            "p", [],
            tag("a", [.href("/network?request_id=" + FormCoding.encode(id) + from)], "All records of this exchange"))
    }
}
