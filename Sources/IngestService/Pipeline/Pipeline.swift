// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import Grouping
import VakaModel

/// Works on what the spool holds: each thread with a worker process of its own. May be stopped at any point; what was
/// not completed is worked on again after the next start.
final class Pipeline: Sendable {
    private struct State {
        var stopping = false
        var threads = 0
        /// Counts wake-ups, so that none is missed between looking and waiting.
        var calls: UInt64 = 0
    }

    private let state = Monitor(State())
    private let store: any EventStore
    private let metrics: Metrics
    private let limits: ServiceLimits
    private let workerArguments: [String]
    private let log: @Sendable (String) -> Void

    init(
        store: any EventStore, metrics: Metrics, limits: ServiceLimits, workerArguments: [String],
        log: @escaping @Sendable (String) -> Void
    ) {
        self.store = store
        self.metrics = metrics
        self.limits = limits
        self.workerArguments = workerArguments
        self.log = log
    }

    func start(threads: Int) {
        state.withLock { $0.threads = threads }
        for _ in 0..<threads { startThread { [self] in run() } }
    }

    func wake() {
        state.update { $0.calls += 1 }
    }

    /// Returns when the threads have finished the item they are at, or after `seconds`.
    func stop(seconds: Double) {
        state.update { $0.stopping = true }
        _ = state.wait(seconds: seconds) { $0.threads == 0 ? true : nil }
    }

    private func run() {
        let processor = ItemProcessor(
            store: store, metrics: metrics, limits: limits,
            worker: WorkerProcess(arguments: workerArguments, metrics: metrics), log: log)
        var turn = 0
        while true {
            let seen = state.withLock { $0.stopping ? nil : $0.calls }
            guard let seen else { break }
            turn += 1
            do {
                // Every eighth turn looks at events to mend first, so that a stream of new ones does not hold them up.
                if try processor.step(mendFirst: turn % 8 == 0) { continue }
            } catch {
                log("the pipeline waits, for the store failed: \(error)")
                _ = state.wait(seconds: 1) { $0.stopping ? true : nil }
                continue
            }
            _ = state.wait(seconds: 5) { $0.calls != seen || $0.stopping ? true : nil }
        }
        processor.stop()
        state.update { $0.threads -= 1 }
    }
}
