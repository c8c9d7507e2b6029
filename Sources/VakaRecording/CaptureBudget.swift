// SPDX-License-Identifier: Apache-2.0

/// The time that captures may take: 100 ms in each second of a clock that never goes back.
struct CaptureBudget {
    static let window = Duration.seconds(1)
    static let limit = Duration.milliseconds(100)

    /// Captures of the last second, oldest first.
    private var captures: [(end: Duration, cost: Duration)] = []
    /// The last one's cost: the next will cost as much.
    private(set) var estimate = Duration.zero
    /// A capture that took longer than could be known is paid for by the seconds after it.
    private var blockedUntil = Duration.zero

    /// When a capture may begin, from `now` on: never so early that, at the cost of the last, a second has more than its share.
    func earliest(from now: Duration) -> Duration {
        var time = max(now, blockedUntil)
        let cost = min(estimate, Self.limit)
        for index in captures.indices {
            guard spent(at: time) + cost > Self.limit else { break }
            time = max(time, captures[index].end + Self.window)
        }
        return time
    }

    /// What was spent within the second before.
    func spent(at time: Duration) -> Duration {
        captures.reduce(.zero) { $1.end + Self.window > time ? $0 + $1.cost : $0 }
    }

    mutating func note(from start: Duration, to end: Duration) {
        let cost = max(.zero, end - start)
        captures.removeAll { $0.end + Self.window <= start }
        captures.append((end, cost))
        estimate = cost
        let spent = spent(at: end)
        if spent > Self.limit { blockedUntil = end + Duration.seconds(spent / Self.limit) }
    }
}
