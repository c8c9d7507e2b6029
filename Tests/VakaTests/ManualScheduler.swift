// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import Vaka

/// Does the work at once, on the caller's thread; what is for later waits for the test.
final class ManualScheduler: Scheduler {
    private let later = Mutex<[(wait: Duration, work: @Sendable () -> Void)]>([])

    func write(_ work: @escaping @Sendable () -> Void) { work() }
    func writeAndWait(_ work: @Sendable () -> Void) { work() }
    func send(_ work: @escaping @Sendable () -> Void) { work() }

    func write(after wait: Duration, _ work: @escaping @Sendable () -> Void) {
        later.withLock { $0.append((wait, work)) }
    }

    var waits: [Duration] { later.withLock { $0.map(\.wait) } }

    /// Does what was put off, except what that puts off again.
    func runLater() {
        let work = later.withLock { later in
            defer { later = [] }
            return later
        }
        for item in work { item.work() }
    }
}
