// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// The clocks, so that a test need not wait.
package protocol Timekeeper: Sendable {
    /// Since some moment; never goes back.
    var uptime: Duration { get }
    /// The time of day, for documents.
    var time: Timestamp { get }
}

/// The machine's clocks.
package struct SystemTimekeeper: Timekeeper {
    private let start = ContinuousClock.now

    package init() {}

    package var uptime: Duration { ContinuousClock.now - start }
    package var time: Timestamp { .now }
}
