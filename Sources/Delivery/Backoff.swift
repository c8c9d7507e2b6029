// SPDX-License-Identifier: Apache-2.0
/// How long to wait after failures in a row: 5 seconds, doubling to 5 minutes, each lengthened at random by up to a
/// quarter so that many senders do not return at once.
package struct Backoff: Hashable, Sendable {
    package var first: Duration
    package var longest: Duration
    private var failures = 0

    package init(first: Duration = .seconds(5), longest: Duration = .seconds(300)) {
        self.first = first
        self.longest = longest
    }

    package mutating func reset() {
        failures = 0
    }

    /// The wait after one more failure. `asked` is the service's own word and stands in place of the doubling.
    package mutating func next(asked: Duration? = nil) -> Duration {
        let doubled = first * (1 << min(failures, 20))
        failures = min(failures + 1, 20)
        return (asked ?? min(doubled, longest)) * Double.random(in: 1...1.25)
    }
}
