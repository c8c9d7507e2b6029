// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Gathers what many want to commit into one transaction: they share the wait for the disk.
///
/// A thread of its own commits all that has come by then; what comes meanwhile forms the next group. It ends when nothing has
/// come for a while.
final class CommitGate: Sendable {
    struct Work: Sendable {
        var entries: [SpoolEntry]
        var project: Int64
        var origin: BatchOrigin?
        /// Called once, when the work is on the disk or cannot be.
        var done: @Sendable (StoreError?) -> Void
    }

    typealias Commit = @Sendable ([Work]) throws(StoreError) -> Void

    private struct State {
        var waiting: [Work] = []
        var isRunning = false
    }

    private static let idleSeconds = 5.0

    /// What one window tells holds so long.
    private static let pressureLasts = Duration.milliseconds(200)

    private let state = Monitor(State())
    private let pressedUntil = Mutex<ContinuousClock.Instant?>(nil)

    /// More come than are committed, and committing waits for a processor: who could work later should.
    var isPressed: Bool {
        guard let until = pressedUntil.withLock({ $0 }) else { return false }
        return ContinuousClock.now < until
    }

    func submit(_ work: Work, commit: @escaping Commit) {
        let (isFirst, isRunning) = state.withLock { state in
            defer { state.isRunning = true }
            state.waiting.append(work)
            return (state.waiting.count == 1, state.isRunning)
        }
        if isRunning {
            if isFirst { state.wakeOne() }
        } else if !startThread({ [self] in run(commit) }) {
            run(commit)
        }
    }

    private func run(_ commit: Commit) {
        var watch = ProcessorWatch()
        while let group = next() {
            var outcome: StoreError?
            do {
                try commit(group)
            } catch {
                outcome = error
            }
            for work in group { work.done(outcome) }
            if let isPressed = watch.noted(batches: group.count) {
                pressedUntil.withLock { $0 = isPressed ? .now + Self.pressureLasts : nil }
            }
        }
    }

    private func next() -> [Work]? {
        let found = state.wait(seconds: Self.idleSeconds) { $0.waiting.isEmpty ? nil : Self.take(&$0) }
        return found
            ?? state.withLock { state in
                state.isRunning = !state.waiting.isEmpty
                return state.isRunning ? Self.take(&state) : nil
            }
    }

    private static func take(_ state: inout State) -> [Work] {
        defer { state.waiting = [] }
        return state.waiting
    }
}
