// SPDX-License-Identifier: Apache-2.0
package import Delivery
import Glibc

/// How long a command keeps trying.
package struct RetryPolicy: Sendable {
    /// From the first try to the start of the last; a `Retry-After` beyond it ends the trying at once.
    package var bound: Duration
    /// Told before each wait: what failed, and how long the wait is. For people who would wonder otherwise.
    package var onWait: @Sendable (String, Duration) -> Void = { _, _ in }
    var sleep: @Sendable (Duration) -> Void
    var timekeeper: any Timekeeper

    package init(bound: Duration = .seconds(60)) {
        self.init(bound: bound, timekeeper: SystemTimekeeper()) { duration in
            usleep(UInt32(clamping: Int64(duration / .microseconds(1))))
        }
    }

    package init(bound: Duration, timekeeper: any Timekeeper, sleep: @escaping @Sendable (Duration) -> Void) {
        self.bound = bound
        self.timekeeper = timekeeper
        self.sleep = sleep
    }

    func wait(_ duration: Duration, because problem: String) {
        onWait(problem, duration)
        sleep(duration)
    }
}
