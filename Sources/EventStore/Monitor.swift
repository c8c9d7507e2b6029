// SPDX-License-Identifier: Apache-2.0
import Glibc

/// State that threads share and wait on: a mutex and a condition.
package final class Monitor<State>: @unchecked Sendable {  // the state is touched under the mutex only
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State

    package init(_ state: State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Changes the state and wakes all who wait.
    package func update<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { pthread_cond_broadcast(condition) }
        return try withLock(body)
    }

    /// Wakes one who waits, whoever that is: for states that all wait for alike.
    package func wakeOne() {
        pthread_cond_signal(condition)
    }

    package func wakeAll() {
        pthread_cond_broadcast(condition)
    }

    /// Waits until `body` answers, at most for `seconds`; nil when the time is over.
    package func wait<Result>(seconds: Double = .infinity, for body: (inout State) -> Result?) -> Result? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        let whole = min(max(0, seconds), 1e6)
        deadline.tv_sec += Int(whole)
        deadline.tv_nsec += Int((whole - whole.rounded(.down)) * 1e9)
        if deadline.tv_nsec >= 1_000_000_000 {
            deadline.tv_sec += 1
            deadline.tv_nsec -= 1_000_000_000
        }
        while true {
            if let result = body(&state) { return result }
            if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { return body(&state) }
        }
    }
}
