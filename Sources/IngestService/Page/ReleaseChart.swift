// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// Kept events by day, each bar cut into the releases that had the most; the table beneath the chart has the same numbers.
struct ReleaseChart {
    private static let height = 48
    private static let step = 12
    /// Each has a colour of its own; all others share one.
    private static let mostReleases = 4
    private static let unnamed = "no release"

    private let days: [Timestamp]
    /// The most frequent first; the last may be all others.
    private let names: [String]
    private let counts: [[Int]]

    init(_ counted: [ReleaseDay], days count: Int, now: Timestamp) {
        let length = CountUnit.day.milliseconds
        let today = now.milliseconds / length * length
        days = (0..<Int64(count)).reversed().map { Timestamp(milliseconds: today - $0 * length) }
        let (first, index) = (today - Int64(count - 1) * length, days.count)
        let shown = counted.filter { $0.day.milliseconds >= first && $0.day.milliseconds <= today }
        var totals: [String: Int] = [:]
        for entry in shown { totals[entry.release ?? Self.unnamed, default: 0] += entry.events }
        let ordered = totals.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map(\.key)
        let own = Array(ordered.prefix(Self.mostReleases))
        names = ordered.count > own.count ? own + ["others"] : own
        var counts = [[Int]](repeating: [Int](repeating: 0, count: names.count), count: index)
        for entry in shown {
            let place = own.firstIndex(of: entry.release ?? Self.unnamed) ?? own.count
            counts[Int((entry.day.milliseconds - first) / length)][place] += entry.events
        }
        self.counts = counts
    }

    var content: HTML {
        let most = counts.map { $0.reduce(0, +) }.max() ?? 0
        // One release is as the issue itself.
        guard most > 0, names.count > 1 else { return .nothing }
        let legend = names.enumerated().map { index, name in
            tag("li", [], tag("span", [.className("swatch release-\(index)")]), .text(name))
        }
        return .group([
            tag(
                "figure", [.className("chart")],
                tag(
                    "svg",
                    [
                        .className("bars"), HTML.Attribute("viewBox", "0 0 \(days.count * Self.step) \(Self.height)"),
                        HTML.Attribute("preserveAspectRatio", "none"), HTML.Attribute("role", "img"),
                        HTML.Attribute("aria-label", "Kept events by day and release, at most \(most) a day"),
                    ], children: days.indices.flatMap { bar($0, most) })),
            tag("ul", [.className("legend")], children: legend), table,
        ])
    }

    private func bar(_ day: Int, _ most: Int) -> [HTML] {
        var bottom = Self.height
        return names.indices.filter { counts[day][$0] > 0 }.map { release in
            let number = counts[day][release]
            let height = min(bottom, max(2, number * Self.height / most))
            bottom -= height
            return tag(
                "rect",
                [
                    .className("release-\(release)"), HTML.Attribute("x", String(day * Self.step)),
                    HTML.Attribute("y", String(bottom)), HTML.Attribute("width", String(Self.step - 2)),
                    HTML.Attribute("height", String(height)),
                ],
                tag(
                    "title", [],
                    .text("\(days[day].description.prefix(10)), \(names[release]): \(Words.count(number, "event"))")))
        }
    }

    private var table: HTML {
        let rows = days.indices.reversed().filter { counts[$0].contains { $0 > 0 } }.map { day in
            tag(
                "tr", [],
                children: [tag("th", [HTML.Attribute("scope", "row")], Words.day(days[day]))]
                    + counts[day].map { tag("td", [], .text(String($0))) })
        }
        return tag(
            "details", [], tag("summary", [], "By day, as a table"),
            PageTable(heads: ["Day"] + names, rows: rows).alone(named: "Kept events by day and release"))
    }
}
