// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import VakaRecording

/// 100 ms in each second, and a frame a second.
@Suite struct CaptureBudgetTests {
    /// Captures as soon as the budget lets them, of costs between bounds; their ends and costs.
    private func captures(
        _ seconds: Int, cost: (inout SeededRandom) -> Duration, seed: UInt64 = 1
    ) -> [(end: Duration, cost: Duration)] {
        var random = SeededRandom(seed: seed)
        var schedule = CaptureSchedule()
        var captures: [(end: Duration, cost: Duration)] = []
        var now = Duration.seconds(5)
        let last = now + .seconds(seconds)
        while now < last {
            schedule.request()
            now = schedule.due(at: now)
            let cost = cost(&random)
            schedule.begin(at: now)
            schedule.end(from: now, to: now + cost)
            now += cost
            captures.append((now, cost))
        }
        return captures
    }

    @Test(arguments: [1, 7, 30, 70, 99, 100])
    func theWorkIsLimitedTo100MillisecondsInEachSecond(milliseconds: Int) {
        let captures = captures(5) { _ in .milliseconds(milliseconds) }
        // The first is of unknown cost, as is the one that begins while it is so.
        for (number, capture) in captures.enumerated().dropFirst(2) {
            let within = captures[max(0, number - 120)...number].filter {
                $0.end <= capture.end && $0.end > capture.end - .seconds(1)
            }
            #expect(within.reduce(.zero) { $0 + $1.cost } <= .milliseconds(100))
        }
        // And it is used: no host waits longer than it must.
        #expect(captures.count >= 5 * max(1, 100 / milliseconds) * 8 / 10)
    }

    @Test(arguments: 1...5) func costsThatCannotBeForeseenArePaidForAfterwards(seed: UInt64) {
        let captures = captures(
            60, cost: { .microseconds(Int.random(in: 100...400_000, using: &$0)) }, seed: seed)
        let spent = captures.reduce(Duration.zero) { $0 + $1.cost }
        #expect(spent <= .milliseconds(100 * 62 + 400))
    }

    @Test func atMostOncePerSecondByDefault() {
        var schedule = CaptureSchedule()
        #expect(schedule.due(at: .seconds(10)) == .seconds(10))
        schedule.begin(at: .seconds(10))
        schedule.end(from: .seconds(10), to: .milliseconds(10_001))
        #expect(schedule.due(at: .milliseconds(10_100)) == .seconds(11))
        #expect(schedule.due(at: .seconds(20)) == .seconds(20))
    }

    @Test func aRequestIsTakenAtOnceAndTheNormalCaptureLimitsStillApply() {
        var schedule = CaptureSchedule()
        schedule.begin(at: .seconds(10))
        schedule.end(from: .seconds(10), to: .milliseconds(10_060))
        schedule.request()
        // Another of 60 ms would be too much for this second.
        #expect(schedule.due(at: .milliseconds(10_100)) == .milliseconds(11_060))
        schedule.begin(at: .milliseconds(11_060))
        schedule.end(from: .milliseconds(11_060), to: .milliseconds(11_061))
        schedule.request()
        #expect(schedule.due(at: .milliseconds(11_100)) == .milliseconds(11_100))
    }
}
