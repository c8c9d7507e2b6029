// SPDX-License-Identifier: Apache-2.0

/// When the next frame is due: one a second, and at once where one is asked for, as far as the budget goes.
struct CaptureSchedule {
    static let interval = Duration.seconds(1)

    private(set) var budget = CaptureBudget()
    private var last: Duration?
    private(set) var isRequested = false

    mutating func request() { isRequested = true }

    func due(at now: Duration) -> Duration {
        let regular = last.map { $0 + Self.interval } ?? now
        return budget.earliest(from: isRequested ? now : max(now, regular))
    }

    /// A capture begins: it is the one that was asked for.
    mutating func begin(at time: Duration) {
        isRequested = false
        last = time
    }

    mutating func end(from start: Duration, to end: Duration) {
        budget.note(from: start, to: end)
    }
}
