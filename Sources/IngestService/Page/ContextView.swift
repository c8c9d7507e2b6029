// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Who and what an event happened to: tags, user, session, the process and its machine.
struct ContextView {
    private static let order = ["process", "os", "kernel", "libc", "host", "container"]
    private static let most = 200

    let event: Event

    var content: HTML {
        .group([
            tag(
                "div", [.className("columns")],
                part("Tags", event.tags.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) }),
                part(
                    "User",
                    (event.user ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, .text(ValueText.of($0.value))) }),
                part("Session", session)), machine,
        ])
    }

    private var session: [(String, HTML)] {
        guard let session = event.session else { return [] }
        return [
            ("id", .text(session.id)), ("status", .text(session.status.rawValue)),
            ("started", Words.time(session.started)),
        ]
    }

    private var machine: HTML {
        let names = Self.order + event.contexts.keys.filter { !Self.order.contains($0) }.sorted()
        let rows = names.flatMap { name in Self.rows(event.contexts[name] ?? .null, name) }.prefix(Self.most)
        guard !rows.isEmpty else { return .nothing }
        return tag(
            "section", [], tag("h2", [], "Process and machine"),
            tag("details", [], tag("summary", [], .text(summary)), FactsTable.of(Array(rows))))
    }

    /// In a line.
    private var summary: String {
        let parts = [
            event.contexts["process"]?["name"]?.string,
            event.contexts["os"]?["pretty_name"]?.string ?? event.contexts["os"]?["name"]?.string,
            event.contexts["kernel"]?["release"]?.string, event.arch,
        ].compactMap { $0 }
        return parts.isEmpty ? "What is known" : parts.joined(separator: " · ")
    }

    /// Objects' members one by one, by their path.
    private static func rows(_ value: JSONValue, _ name: String, depth: Int = 0) -> [(String, HTML)] {
        switch value {
        case .null: []
        case .object(let members) where depth < 4:
            members.sorted { $0.key < $1.key }.flatMap { rows($0.value, name + " " + $0.key, depth: depth + 1) }
        default: [(name, .text(ValueText.of(value)))]
        }
    }

    private func part(_ title: String, _ rows: [(String, HTML)]) -> HTML {
        guard !rows.isEmpty else { return .nothing }
        return tag("section", [], tag("h2", [], .text(title)), FactsTable.of(Array(rows.prefix(Self.most))))
    }
}

/// Names and what they stand for.
enum FactsTable {
    static func of(_ rows: [(String, HTML)]) -> HTML {
        tag(
            "dl", [.className("facts-table")],
            children: rows.map { tag("div", [], tag("dt", [], .text($0.0)), tag("dd", [], $0.1)) })
    }
}
