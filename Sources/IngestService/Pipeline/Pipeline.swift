// SPDX-License-Identifier: Apache-2.0
import DebugImages
import EventStore
import FoundationEssentials
import Glibc
import Grouping
import VakaModel

/// Works on what the spool holds: each thread with a worker process of its own. May be stopped at any point; what was
/// not completed is worked on again after the next start.
final class Pipeline: Sendable {
    /// Where images have their home elsewhere.
    struct Supplies: Sendable {
        var images: EventImages
        var held: HeldItems
    }

    private struct State {
        var stopping = false
        var threads = 0
        /// Threads whose worker has answered.
        var ready = 0
        /// Counts wake-ups, so that none is missed between looking and waiting.
        var calls: UInt64 = 0
    }

    private let state = Monitor(State())
    private let store: any EventStore
    private let metrics: Metrics
    private let limits: ServiceLimits
    private let malformed: MalformedImages
    private let upstream: UpstreamImages?
    private let supplies: Supplies?
    private let throttle: EarlyThrottle
    private let workerArguments: [String]
    private let log: Log

    init(
        store: any EventStore, metrics: Metrics, limits: ServiceLimits, malformed: MalformedImages,
        upstream: UpstreamImages?, supplies: Supplies?, throttle: EarlyThrottle, workerArguments: [String], log: Log
    ) {
        self.store = store
        self.metrics = metrics
        self.limits = limits
        self.malformed = malformed
        self.upstream = upstream
        self.supplies = supplies
        self.throttle = throttle
        self.workerArguments = workerArguments
        self.log = log
    }

    /// Returns when every worker has answered once, or after `seconds`.
    func start(threads: Int, seconds: Double) {
        state.withLock { $0.threads = threads }
        for _ in 0..<threads { startThread { [self] in run() } }
        _ = state.wait(seconds: seconds) { $0.ready == threads ? true : nil }
    }

    /// Some worker is alive: a worker's death over an item does not count, that it cannot be started again does.
    var isAlive: Bool { state.withLock { $0.ready > 0 && !$0.stopping } }

    func wake() {
        state.update { $0.calls += 1 }
    }

    /// Returns when the threads have finished the item they are at, or after `seconds`.
    func stop(seconds: Double) {
        state.update { $0.stopping = true }
        _ = state.wait(seconds: seconds) { $0.threads == 0 ? true : nil }
    }

    /// What comes in has the processors before what is worked on: it can wait, and a client cannot. A worker inherits it.
    private static let niceness: Int32 = 5

    /// After each commit, while more comes in than the processors manage: what comes can be kept now or never, and what is kept
    /// can be worked on later. Not where the spool fills up. Some hundred events a second go on in any case.
    private func giveWay() {
        var pauses = 0
        while pauses < Self.mostPauses, isToGiveWay {
            usleep(Self.pauseMicroseconds)
            pauses += 1
        }
        metrics.add(.pipelinePauses, pauses)
    }

    private var isToGiveWay: Bool {
        store.isPressed && store.spoolBytes < limits.spoolBytes / 2 && !state.withLock { $0.stopping }
    }

    private static let mostPauses = 4
    private static let pauseMicroseconds: UInt32 = 50_000

    private func run() {
        // Linux takes it of the calling thread alone.
        nice(Self.niceness)
        let processor = ItemProcessor(
            store: store, metrics: metrics, limits: limits, malformed: malformed, upstream: upstream,
            supplies: supplies, throttle: throttle,
            worker: WorkerProcess(arguments: workerArguments, metrics: metrics, limits: limits),
            log: log)
        var turn = 0
        var isReady = false
        var toldFailure: String?
        var waitingSince: ContinuousClock.Instant?
        while true {
            let failure = isReady ? nil : processor.ping()
            if !isReady, failure == nil {
                isReady = true
                state.update { $0.ready += 1 }
            }
            if let failure, failure != toldFailure {
                log.error("worker_down", "a worker does not answer: \(failure)", ["reason": .string(failure)])
            }
            toldFailure = failure
            let seen = state.withLock { $0.stopping ? nil : $0.calls }
            guard let seen else { break }
            turn += 1
            do {
                // Every eighth turn looks at events to mend first, so that a stream of new ones does not hold them up.
                let hasWorked = try processor.step(mendFirst: turn % 8 == 0)
                if let since = waitingSince {
                    waitingSince = nil
                    let seconds = (ContinuousClock.now - since).components.seconds
                    log.info("pipeline_goes_on", "the pipeline goes on, after \(seconds) s")
                }
                if hasWorked {
                    giveWay()
                    continue
                }
            } catch {
                waitingSince = waitingSince ?? .now
                log.error(
                    "pipeline_waits", "the pipeline waits: \(error)", ["reason": .string("\(error)")])
                if isReady {
                    isReady = false
                    state.update { $0.ready -= 1 }
                }
                _ = state.wait(seconds: 1) { $0.stopping ? true : nil }
                continue
            }
            _ = state.wait(seconds: 5) { $0.calls != seen || $0.stopping ? true : nil }
        }
        processor.stop()
        state.update { state in
            state.threads -= 1
            if isReady { state.ready -= 1 }
        }
    }
}
