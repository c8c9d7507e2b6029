// SPDX-License-Identifier: Apache-2.0
import Delivery
import VakaModel

extension Client {
    /// From here on nothing is collected, and no crash is caught. Only once.
    func stopCollecting() {
        endCollecting()
        core?.uninstall()
    }

    /// Puts what was collected on disk and sends what is there, in the background, and tells when that is done or the time
    /// is over; `told` may be called more than once. Afterwards nothing is sent any more.
    func finish(within bound: Duration, _ told: @escaping @Sendable () -> Void) {
        let deadline = timekeeper.uptime + bound
        let done: @Sendable () -> Void = { [self] in
            outbox.close()
            told()
        }
        scheduler.alarm(after: bound, done)
        scheduler.write { [self] in
            recoverRecords()
            spill()
            scheduler.send { [self] in
                let left = max(.zero, deadline - timekeeper.uptime)
                _ = outbox.drain(within: left, impatient: true, finishing: true)
                // What was given up goes out after the next start.
                scheduler.writeAndWait { spill() }
                done()
            }
        }
    }
}
