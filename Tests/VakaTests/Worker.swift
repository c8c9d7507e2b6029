// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

/// Work on a thread of its own, and its result.
final class Worker<Value: Sendable>: Sendable {
    private let result = Mutex<Value?>(nil)
    private let done = DispatchSemaphore(value: 0)

    init(_ work: @escaping @Sendable () -> Value) {
        // A queue of its own has a thread even where the global ones are full.
        DispatchQueue(label: "worker").async {
            let value = work()
            self.result.withLock { $0 = value }
            self.done.signal()
        }
    }

    func value() -> Value? {
        done.wait()
        done.signal()
        return result.withLock { $0 }
    }
}
