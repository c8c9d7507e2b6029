// SPDX-License-Identifier: Apache-2.0
import EventStore

/// A fixed number of threads that may wait, with a bounded queue before them.
final class Executor: Sendable {
    typealias Work = @Sendable () -> Void

    private struct State {
        var queue: [Work] = []
        var running = 0
        var stopped = false
    }

    private let state = Monitor(State())
    private let mostQueued: Int

    init(threads: Int, mostQueued: Int) {
        self.mostQueued = mostQueued
        for _ in 0..<threads { startThread { [state] in Self.run(state) } }
    }

    /// False when the queue is full or the executor has stopped.
    func submit(_ work: @escaping Work) -> Bool {
        let taken = state.withLock { state in
            guard !state.stopped, state.queue.count < mostQueued else { return false }
            state.queue.append(work)
            return true
        }
        // One thread is enough; who waits for the end does so after the last piece was taken.
        if taken { state.wakeOne() }
        return taken
    }

    /// Finishes what was submitted; nothing more is taken. False when that takes longer than `seconds`.
    func stop(seconds: Double) -> Bool {
        state.update { $0.stopped = true }
        return state.wait(seconds: seconds) { $0.queue.isEmpty && $0.running == 0 ? true : nil } ?? false
    }

    private static func run(_ state: Monitor<State>) {
        while true {
            let next = state.wait { state -> Work?? in
                if state.queue.isEmpty { return state.stopped ? .some(nil) : nil }
                state.running += 1
                return state.queue.removeFirst()
            }
            guard let next else { continue }
            guard let work = next else { return }
            work()
            let stopped = state.withLock { state in
                state.running -= 1
                return state.stopped
            }
            if stopped { state.wakeAll() }
        }
    }
}
