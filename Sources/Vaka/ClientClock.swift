// SPDX-License-Identifier: Apache-2.0
import Delivery
import Synchronization
import VakaModel

/// The clocks, but that what waited for the start is told of the time when it came.
final class ClientClock: Timekeeper {
    private let clock: any Timekeeper
    private let told = Mutex<Timestamp?>(nil)

    init(_ clock: any Timekeeper) {
        self.clock = clock
    }

    var uptime: Duration { clock.uptime }
    var time: Timestamp { told.withLock { $0 } ?? clock.time }

    /// Nil: the time goes on.
    func tell(_ time: Timestamp?) {
        told.withLock { $0 = time }
    }
}
