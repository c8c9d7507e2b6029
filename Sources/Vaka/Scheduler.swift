// SPDX-License-Identifier: Apache-2.0
import Delivery
import Dispatch
import Synchronization

/// Where the SDK's work is done: writing and sending side by side, each one piece at a time and in order, so that a slow
/// service does not keep reports from the disk.
protocol Scheduler: Sendable {
    func write(_ work: @escaping @Sendable () -> Void)
    /// After what is being written already. Not from within such work.
    func writeAndWait(_ work: @Sendable () -> Void)
    /// May block for as long as requests take.
    func send(_ work: @escaping @Sendable () -> Void)
    /// Writes later.
    func write(after wait: Duration, _ work: @escaping @Sendable () -> Void)
    /// Later, whatever is being written and sent then. Must not block.
    func alarm(after wait: Duration, _ work: @escaping @Sendable () -> Void)
}

extension Scheduler {
    /// Sends and waits, at most for the time given; the work goes on then.
    func sendAndWait(
        atMost time: Duration, _ work: @escaping @Sendable () -> Deliverer.Outcome
    ) -> Deliverer.Outcome {
        let outcome = Outcome()
        let done = DispatchSemaphore(value: 0)
        send {
            let value = work()
            outcome.value.withLock { $0 = value }
            done.signal()
        }
        _ = done.wait(timeout: .now() + .nanoseconds(Int(clamping: Int64(time / .nanoseconds(1)))))
        return outcome.value.withLock { $0 }
    }
}

private final class Outcome: Sendable {
    let value = Mutex(Deliverer.Outcome.outOfTime)
}

/// Queues of utility priority: no thread while there is nothing to do, and independent of the concurrency pool, which
/// the host may have filled.
struct DispatchScheduler: Scheduler {
    private let writer = DispatchQueue(label: "vaka.write", qos: .utility)
    private let sender = DispatchQueue(label: "vaka.send", qos: .utility)
    private let alarms = DispatchQueue(label: "vaka.alarm", qos: .utility)

    func write(_ work: @escaping @Sendable () -> Void) {
        writer.async(execute: work)
    }

    func writeAndWait(_ work: @Sendable () -> Void) {
        writer.sync(execute: work)
    }

    func send(_ work: @escaping @Sendable () -> Void) {
        sender.async(execute: work)
    }

    func write(after wait: Duration, _ work: @escaping @Sendable () -> Void) {
        writer.asyncAfter(deadline: Self.time(after: wait), execute: work)
    }

    func alarm(after wait: Duration, _ work: @escaping @Sendable () -> Void) {
        alarms.asyncAfter(deadline: Self.time(after: wait), execute: work)
    }

    private static func time(after wait: Duration) -> DispatchTime {
        .now() + .nanoseconds(Int(clamping: Int64(min(wait, .seconds(86_400 * 365)) / .nanoseconds(1))))
    }
}
