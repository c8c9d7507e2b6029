// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// The part of a span of time that one answer covers: at most `mostParts` hours or days of it.
struct CountSpan {
    static let parameters = ["from", "to", "cursor"]
    private static let mostParts: Int64 = 1000
    private static let usualParts: Int64 = 30

    private(set) var from: Timestamp
    private(set) var to: Timestamp
    /// Where the next answer goes on; nil when this is the last.
    private(set) var next: Cursor?
    /// It ends before it begins: nothing happened in it.
    var isEmpty: Bool { to < from }

    /// From the request's `from` to its `to`; usually the last 30 hours or days.
    ///
    /// - Parameter newestFirst: answers go from the end to the beginning.
    init(_ request: HTTPRequest, _ unit: CountUnit, newestFirst: Bool = false) throws(APIError) {
        to = try Self.time("to", request) ?? Timestamp(milliseconds: Timestamp.now.milliseconds + 1)
        let usual = Timestamp(milliseconds: to.milliseconds - (Self.usualParts - 1) * unit.milliseconds)
        from = try Self.time("from", request) ?? usual
        let most = Self.mostParts * unit.milliseconds
        if let place = try Paging(request).cursor?.first {
            let place = Timestamp(milliseconds: place)
            if newestFirst { to = min(to, place) } else { from = max(from, place) }
        }
        guard !isEmpty, to.milliseconds - from.milliseconds > most else { return }
        // At the begin of an hour or day, so that none is in two answers.
        let length = unit.milliseconds
        if newestFirst {
            from = Timestamp(milliseconds: ((to.milliseconds - most) / length + 1) * length)
        } else {
            to = Timestamp(milliseconds: (from.milliseconds + most) / length * length)
        }
        next = Cursor(newestFirst ? from.milliseconds : to.milliseconds)
    }

    private static func time(_ name: String, _ request: HTTPRequest) throws(APIError) -> Timestamp? {
        guard let text = request.query[name] else { return nil }
        guard let time = Timestamp(ofRequest: text) else {
            throw RequestFields.wrong(name, "must be a time as \"2026-01-31T12:00:00.000Z\"")
        }
        return time
    }
}
