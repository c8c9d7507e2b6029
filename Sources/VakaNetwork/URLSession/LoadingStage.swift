// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// How far the loading of a task has come. Thread-safe.
final class LoadingStage: Sendable {
    enum Stage {
        case fresh
        /// Until the fault's time has come.
        case waiting
        case due
        case loading
        case over
    }

    private struct State {
        var stage = Stage.fresh
        var fault: FaultDecision?
    }

    private let state = Mutex(State())

    /// What there is to do on the task's queue.
    func begin() -> Stage {
        state.withLock { state in
            let stage = state.stage
            if stage == .fresh || stage == .due { state.stage = .loading }
            return stage
        }
    }

    var fault: FaultDecision? { state.withLock { $0.fault } }

    /// The fault is to be waited for.
    func wait(for fault: FaultDecision) {
        state.withLock { state in
            state.fault = fault
            state.stage = .waiting
        }
    }

    /// Its time has come. False where the task was given up meanwhile.
    func becomeDue() -> Bool {
        state.withLock { state in
            guard state.stage == .waiting else { return false }
            state.stage = .due
            return true
        }
    }

    func end() {
        state.withLock { $0.stage = .over }
    }
}
