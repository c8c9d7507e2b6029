// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// How the exchanges of one host and route went.
struct RouteTiming: Encodable, Hashable {
    var site: String
    var route: String
    var exchanges: Int
    var errors: Int
    /// Milliseconds, within which so many of a hundred ended, of those whose time is known; nil where none is.
    @ExplicitNull var p50: Double?
    @ExplicitNull var p95: Double?
    @ExplicitNull var p99: Double?
    /// Bytes on average, of those that tell; nil where none does.
    @ExplicitNull var meanSent: Double?
    @ExplicitNull var meanReceived: Double?

    enum CodingKeys: String, CodingKey {
        case site, route, exchanges, errors
        case p50 = "p50Ms"
        case p95 = "p95Ms"
        case p99 = "p99Ms"
        case meanSent = "meanRequestBodySize"
        case meanReceived = "meanResponseBodySize"
    }

    static let schema = Shape.object([
        "site": Shape.text, "route": Shape.text, "exchanges": Shape.integer, "errors": Shape.integer,
        "p50Ms": Shape.orNull(Shape.number), "p95Ms": Shape.orNull(Shape.number), "p99Ms": Shape.orNull(Shape.number),
        "meanRequestBodySize": Shape.orNull(Shape.number), "meanResponseBodySize": Shape.orNull(Shape.number),
    ])

    /// The most frequent first.
    static func all(_ measures: [ExchangeMeasure]) -> [RouteTiming] {
        Dictionary(grouping: measures) { NetworkRoute(site: $0.site, route: $0.route) }
            .map { RouteTiming($0, $1) }
            .sorted { ($1.exchanges, $0.site, $0.route) < ($0.exchanges, $1.site, $1.route) }
    }

    private init(_ counted: NetworkRoute, _ measures: [ExchangeMeasure]) {
        site = counted.site
        route = counted.route
        exchanges = measures.count
        errors = measures.count { $0.isError }
        let durations = measures.map(\.milliseconds).filter { $0 > NetworkDefault.duration }.sorted()
        p50 = Self.percentile(50, of: durations)
        p95 = Self.percentile(95, of: durations)
        p99 = Self.percentile(99, of: durations)
        meanSent = Self.mean(measures.map(\.sent))
        meanReceived = Self.mean(measures.map(\.received))
    }

    /// By the nearest rank: one of the values. Nil of none.
    static func percentile(_ percent: Int, of sorted: [Double]) -> Double? {
        guard !sorted.isEmpty else { return nil }
        return sorted[max(0, (percent * sorted.count + 99) / 100 - 1)]
    }

    private static func mean(_ sizes: [Int64]) -> Double? {
        let known = sizes.filter { $0 >= 0 }
        guard !known.isEmpty else { return nil }
        return known.reduce(0.0) { $0 + Double($1) } / Double(known.count)
    }
}
