// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

/// Asynchronous work that a thread waits for.
enum AsyncWork {
    private final class Box<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    /// What came of it; nil when the time is over, and the work goes on then.
    static func wait<Value: Sendable>(
        atMost time: Duration, _ work: @escaping @Sendable () async -> Value
    ) -> Value? {
        let box = Box<Value>()
        let done = DispatchSemaphore(value: 0)
        Task(executorPreference: ServingExecutor.shared) {
            let value = await work()
            box.value.withLock { $0 = value }
            done.signal()
        }
        _ = done.wait(timeout: .now() + .milliseconds(Int(time / .milliseconds(1))))
        return box.value.withLock { $0 }
    }
}
