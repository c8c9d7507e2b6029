// SPDX-License-Identifier: Apache-2.0
import Delivery
import Dispatch
import Synchronization
import VakaModel

/// Lets `beforeSend` see what earlier runs left, for a bounded time: a hook that hangs must not keep the SDK from sending.
final class RecoveredEventScreen: EventScreen {
    private static let bound = Duration.seconds(5)

    private let hooks: Hooks
    private let hasHung = Mutex(false)
    private let asking = Mutex(false)

    /// Whether the hook is being called.
    var isAsking: Bool { asking.withLock { $0 } }

    /// Nil where there is no hook.
    init?(_ hooks: Hooks) {
        guard hooks.beforeSend != nil else { return nil }
        self.hooks = hooks
    }

    func screen(_ event: Event) -> Screening {
        if hasHung.withLock({ $0 }) { return .later }
        asking.withLock { $0 = true }
        defer { asking.withLock { $0 = false } }
        let answer = Answer()
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global(qos: .utility).async { [hooks] in
            let value = hooks.screen(event)
            answer.verdict.withLock { $0 = value }
            done.signal()
        }
        let nanoseconds = Int(Self.bound / .nanoseconds(1))
        guard done.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success,
            let verdict = answer.verdict.withLock({ $0 })
        else {
            hasHung.withLock { $0 = true }
            return .drop(.hookTimeout)
        }
        switch verdict {
        case .keep(let event): return .send(event)
        case .drop(let cause): return .drop(cause)
        }
    }

    private final class Answer: Sendable {
        let verdict = Mutex<Hooks.Verdict<Event>?>(nil)
    }
}
