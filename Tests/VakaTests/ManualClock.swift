// SPDX-License-Identifier: Apache-2.0
import Delivery
import Synchronization
import VakaModel

/// A clock that stands still until the test moves it.
final class ManualClock: Timekeeper {
    private let elapsed = Mutex(Duration.zero)

    var uptime: Duration { elapsed.withLock { $0 } }
    var time: Timestamp { Timestamp(milliseconds: 1_800_000_000_000 + Int64(uptime / .milliseconds(1))) }

    func advance(_ duration: Duration) {
        elapsed.withLock { $0 += duration }
    }
}
