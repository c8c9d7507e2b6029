// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Breadcrumbs over time, up to the event: a mark each, as long as it took where that is known. The list beneath has all
/// that it shows.
struct TimeLine {
    private static let width: Int64 = 1000
    private static let height = 20

    private let crumbs: [Breadcrumb]
    private let start: Int64
    private let end: Int64

    init(_ crumbs: [Breadcrumb], end: Timestamp) {
        self.crumbs = crumbs
        let times = crumbs.map(\.timestamp.milliseconds)
        start = times.min() ?? end.milliseconds
        self.end = max(end.milliseconds, times.max() ?? 0)
    }

    var drawing: HTML {
        let span = end.subtractingReportingOverflow(start)
        guard crumbs.count > 1, !span.overflow, span.partialValue > 0, span.partialValue < Int64.max / Self.width else {
            return .nothing
        }
        let length = span.partialValue
        return tag(
            "figure", [.className("chart")],
            tag(
                "svg",
                [
                    .className("timeline"), HTML.Attribute("viewBox", "0 0 \(Self.width) \(Self.height)"),
                    HTML.Attribute("preserveAspectRatio", "none"), HTML.Attribute("role", "img"),
                    HTML.Attribute("aria-label", "\(Words.count(crumbs.count, "breadcrumb")) in \(Words.span(length))"),
                ],
                children: [
                    Self.bar("none", x: 0, y: Self.height / 2, width: Self.width, height: 1, nil)
                ] + crumbs.map { mark($0, length) }),
            tag(
                "figcaption", [], tag("span", [], .text("\(Words.span(length)) before")), tag("span", [], "the event")))
    }

    private func mark(_ crumb: Breadcrumb, _ length: Int64) -> HTML {
        let exchange = NetworkExchange(crumb)
        let took = min(Int64(max(0, min(exchange?.milliseconds ?? 0, 1e9))), length)
        let ended = crumb.timestamp.milliseconds - start
        let width = max(3, took * Self.width / length)
        let x = min(max(0, ended * Self.width / length - width), Self.width - width)
        let level = Words.level(crumb.level.rawValue)
        let isGrave = level == "fatal" || level == "error"
        return Self.bar(
            isGrave ? "grave" : exchange == nil ? "some" : "exchange", x: x, y: isGrave ? 0 : 4, width: width,
            height: isGrave ? Self.height : Self.height - 8, crumb)
    }

    private static func bar(
        _ name: String, x: Int64, y: Int, width: Int64, height: Int, _ crumb: Breadcrumb?
    ) -> HTML {
        tag(
            "rect",
            [
                .className(name), HTML.Attribute("x", String(x)), HTML.Attribute("y", String(y)),
                HTML.Attribute("width", String(width)), HTML.Attribute("height", String(height)),
            ],
            crumb.map { crumb in
                let what = [crumb.category, crumb.message].compactMap { $0 }.joined(separator: ": ")
                return tag(
                    "title", [],
                    .text("\(crumb.timestamp) \(what.unicodeScalars.prefix(120).map(String.init).joined())"))
            } ?? .nothing)
    }
}
