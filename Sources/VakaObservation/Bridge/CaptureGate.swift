// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Lets one through at a time, in the order in which they came.
final class CaptureGate: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func pass<Value: Sendable>(_ work: @Sendable () async -> Value) async -> Value {
        await enter()
        let value = await work()
        leave()
        return value
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        // Who waits takes over without a moment in which it is free.
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
