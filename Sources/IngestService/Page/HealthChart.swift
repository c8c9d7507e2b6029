// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// A release's sessions by day, those that crashed at the foot of each bar. The table beneath has the same numbers.
struct HealthChart {
    private static let height = 48
    private static let step = 12

    private let days: [(day: Timestamp, sessions: Int, crashed: Int)]

    init(_ health: [ReleaseHealth], days count: Int, now: Timestamp) {
        let length = CountUnit.day.milliseconds
        let today = now.milliseconds / length * length
        let known = Dictionary(grouping: health) { $0.day.milliseconds }
        days = (0..<Int64(count)).reversed().map { back in
            let of = known[today - back * length] ?? []
            return (
                Timestamp(milliseconds: today - back * length), of.reduce(0) { $0 + $1.sessions },
                of.reduce(0) { $0 + $1.crashedSessions }
            )
        }
    }

    var content: HTML {
        let most = days.map(\.sessions).max() ?? 0
        guard most > 0, let first = days.first, let last = days.last else { return .nothing }
        return tag(
            "figure", [.className("chart")],
            tag(
                "svg",
                [
                    .className("bars"), HTML.Attribute("viewBox", "0 0 \(days.count * Self.step) \(Self.height)"),
                    HTML.Attribute("preserveAspectRatio", "none"), HTML.Attribute("role", "img"),
                    HTML.Attribute("aria-label", words),
                ], children: days.indices.flatMap { bars($0, most) }),
            tag(
                "figcaption", [], Words.day(first.day),
                tag("span", [], .text("at most \(Words.count(most, "session")) a day, those that crashed in red")),
                Words.day(last.day)))
    }

    private var words: String {
        let (all, crashed) = days.reduce((0, 0)) { ($0.0 + $1.sessions, $0.1 + $1.crashed) }
        return "\(Words.count(all, "session")) in \(Words.count(days.count, "day")), \(crashed) of them crashed"
    }

    private func bars(_ index: Int, _ most: Int) -> [HTML] {
        let day = days[index]
        let title = "\(day.day.description.prefix(10)): \(Words.count(day.sessions, "session")), \(day.crashed) crashed"
        guard day.sessions > 0 else { return [bar(index, from: 0, 1, "none", title)] }
        // What is more than nothing is seen.
        let whole = max(3, day.sessions * Self.height / most)
        let crashed = day.crashed == 0 ? 0 : min(whole, max(2, day.crashed * Self.height / most))
        return [
            bar(index, from: crashed, whole - crashed, "some", title), bar(index, from: 0, crashed, "crashed", title),
        ]
    }

    /// `from` the ground up.
    private func bar(_ index: Int, from bottom: Int, _ height: Int, _ className: String, _ title: String) -> HTML {
        guard height > 0 else { return .nothing }
        return tag(
            "rect",
            [
                .className(className), HTML.Attribute("x", String(index * Self.step)),
                HTML.Attribute("y", String(Self.height - bottom - height)),
                HTML.Attribute("width", String(Self.step - 2)), HTML.Attribute("height", String(height)),
            ], tag("title", [], .text(title)))
    }
}
