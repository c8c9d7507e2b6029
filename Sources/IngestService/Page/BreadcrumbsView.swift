// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What the program did before the event, newest first, with how long before. What went over a network is told as an exchange.
struct BreadcrumbsView {
    private static let most = 200
    private static let mostData = 20

    let event: Event

    var content: HTML {
        guard !event.breadcrumbs.isEmpty else { return .nothing }
        let crumbs = event.breadcrumbs.suffix(Self.most)
        let older = event.breadcrumbs.count - crumbs.count
        return tag(
            "section", [], tag("h2", [], "What led up to it"), TimeLine(Array(crumbs), end: event.timestamp).drawing,
            tag("ol", [.className("breadcrumbs")], children: crumbs.reversed().map(row)),
            older > 0 ? tag("p", [.className("hint")], .text("\(older) older ones are in the event's text.")) : .nothing
        )
    }

    private func row(_ crumb: Breadcrumb) -> HTML {
        let exchange = NetworkExchange(crumb)
        let data = crumb.data.filter { exchange?.keys.contains($0.key) != true }
        return tag(
            "li", [.className("level-\(Words.level(crumb.level.rawValue))")],
            Words.before(crumb.timestamp, event.timestamp),
            tag(
                "div", [],
                crumb.category.map { tag("span", [.className("badge")], .text($0)) } ?? .nothing,
                crumb.message.map { tag("span", [.className("text")], .text($0)) } ?? .nothing,
                exchange.map(\.content) ?? .nothing,
                .group(
                    data.sorted { $0.key < $1.key }.prefix(Self.mostData).map { key, value in
                        tag("code", [], .text("\(key)=\(ValueText.of(value))"))
                    })))
    }
}
