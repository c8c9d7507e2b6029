// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// Bars over days, drawn by the server; what they show is told in words, too.
struct Chart {
    /// A day and its number, oldest first, none left out.
    let days: [(day: Timestamp, number: Int)]
    /// Of what there are so many, in the singular.
    let noun: String

    /// The last `count` days up to `now`, of counts that leave out days without any.
    init(_ counts: [EventCount], days count: Int, now: Timestamp, noun: String = "event") {
        let length = CountUnit.day.milliseconds
        let today = now.milliseconds / length * length
        let known = Dictionary(counts.map { ($0.start.milliseconds, $0.events) }, uniquingKeysWith: +)
        days = (0..<Int64(count)).reversed().map { back in
            let start = today - back * length
            return (Timestamp(milliseconds: start), known[start] ?? 0)
        }
        self.noun = noun
    }

    private static let height = 24
    private static let step = 6

    /// A row of bars of the height of a line.
    var spark: HTML { drawing(className: "spark") }

    /// The same as wide as the page, with a scale.
    var wide: HTML {
        guard let first = days.first, let last = days.last else { return .nothing }
        return tag(
            "figure", [.className("chart")], drawing(className: "bars"),
            tag(
                "figcaption", [], Words.day(first.day),
                tag("span", [], .text("at most \(Words.count(most, noun)) a day")), Words.day(last.day)))
    }

    private var most: Int { days.map(\.number).max() ?? 0 }

    private func drawing(className: String) -> HTML {
        let scale = max(1, most)
        let bars = days.enumerated().map { index, day -> HTML in
            // What is more than nothing is seen.
            let height = day.number == 0 ? 1 : max(3, day.number * Self.height / scale)
            return tag(
                "rect",
                [
                    .className(day.number == 0 ? "none" : "some"),
                    HTML.Attribute("x", String(index * Self.step)), HTML.Attribute("y", String(Self.height - height)),
                    HTML.Attribute("width", String(Self.step - 1)), HTML.Attribute("height", String(height)),
                ], tag("title", [], .text("\(day.day.description.prefix(10)): \(Words.count(day.number, noun))")))
        }
        return tag(
            "svg",
            [
                .className(className), HTML.Attribute("viewBox", "0 0 \(days.count * Self.step) \(Self.height)"),
                HTML.Attribute("preserveAspectRatio", "none"), HTML.Attribute("role", "img"),
                HTML.Attribute("aria-label", words),
            ], children: bars)
    }

    private var words: String {
        let all = days.reduce(0) { $0 + $1.number }
        return "\(Words.count(all, noun)) in \(Words.count(days.count, "day")), \(days.last?.number ?? 0) of them today"
    }
}
