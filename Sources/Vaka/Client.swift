// SPDX-License-Identifier: Apache-2.0
import Delivery
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import VakaModel

/// The running SDK: collects items in memory, moves them to the queue on disk, and has the queue delivered.
///
/// Thread-safe. Disk and network are touched by the scheduler's threads only, except where a call says that it blocks.
final class Client: Sendable {
    /// Items kept in memory while the disk takes none.
    static let memoryLimit = 1000
    static let earlyCrash = Duration.seconds(5)

    let options: Vaka.Options
    let log: DebugLog
    let timekeeper: any Timekeeper
    let core: CrashCore?
    let state: Mutex<ClientState>
    let scheduler: any Scheduler
    let hooks: Hooks
    let errorRate: SampleRate
    let trackRate: SampleRate
    let sessionRate: SampleRate
    private let screen: RecoveredEventScreen?
    private let queue: BatchQueue
    private let deliverer: Deliverer
    private let processID = getpid()

    /// A forked child has the memory of this value but none of its threads.
    var isOwnProcess: Bool { getpid() == processID }

    /// Makes the folders, catches crashes from here on, and begins a session. Sends nothing yet.
    init(
        options: Vaka.Options, transport: (any Transport)? = nil, scheduler: any Scheduler = DispatchScheduler(),
        timekeeper: any Timekeeper = SystemTimekeeper()
    ) throws {
        let log = DebugLog(isOn: options.debug)
        let endpoint = try ServiceEndpoint(url: options.endpoint.absoluteString)
        let key = try IngestKey(options.key)
        let folder = try StorageChoice.folder(
            options.storageDirectory?.path, application: StorageChoice.application,
            environment: ProcessInfo.processInfo.environment, remedy: "set storageDirectory")
        log("keeps reports in \(folder.path), sends them to \(endpoint)")
        let core = options.crashReporting ? CrashCore(folder: folder, options: options, log: log) : nil

        var limits = DeliveryLimits()
        limits.batchItems = max(1, options.maxBatchSize)
        queue = try BatchQueue(folder: folder, sdk: CrashCore.sdk, limits: limits)
        deliverer = Deliverer(
            queue: queue, endpoint: endpoint, key: key.text, transport: transport ?? HostTransport(options),
            timekeeper: timekeeper, log: { log($0) })
        self.options = options
        hooks = Hooks(options)
        screen = RecoveredEventScreen(hooks)
        errorRate = SampleRate(options.errorSampleRate)
        trackRate = SampleRate(options.trackSampleRate)
        sessionRate = SampleRate(options.sessionSampleRate)
        self.log = log
        self.core = core
        self.scheduler = scheduler
        self.timekeeper = timekeeper
        state = Mutex(ClientState(tags: options.tags, contexts: HostFacts.contexts(core: core, folder: folder)))
        for (key, value) in options.tags { core?.set(.tag, key, value) }
        watchThrows()
        if options.sessionTracking { beginSession() }
    }

    /// Hangs are told to this client; the main thread is watched, where the host asked for it.
    func beginWatching() {
        guard let core else { return }
        core.onHang { hang in Runtime.client?.tell(hang) }
        guard let bound = options.hangDetection else { return }
        _ = core.watch("main", bound: bound) { answer in DispatchQueue.main.async(execute: answer) }
    }

    /// Keeps an item for the next batch.
    func add(_ item: PendingItem) {
        let due = timekeeper.uptime + options.flushInterval
        let (isFull, isFirst) = state.withLock { state in
            guard !state.hasEnded else { return (false, false) }
            state.pending.append(item)
            let isFull = state.pending.count == max(1, options.maxBatchSize)
            return (isFull, !isFull && state.planRound(at: due))
        }
        if isFull {
            scheduler.write { [weak self] in self?.round() }
        } else if isFirst {
            scheduler.write(after: options.flushInterval) { [weak self] in self?.round() }
        }
    }

    /// Moves what is in memory to disk and sends, in the background.
    func flush() {
        scheduler.write { [weak self] in self?.round(impatient: true) }
    }

    /// The same, and waits.
    func flush(timeout: Duration) -> Bool {
        scheduler.writeAndWait { spill() }
        return scheduler.sendAndWait(atMost: timeout) { [self] in deliver(within: timeout, impatient: true) } == .done
    }

    /// Queues what the runs before left, and sends it; see `Vaka.start` for how long it waits.
    func recover() {
        let recovery = self.recovery
        let mustWait = recovery.hasRecords
        let work: @Sendable () -> Deliverer.Outcome = { [self] in
            do {
                let events = try recovery.run(time: timekeeper.time)
                if events.contains(where: Self.isEarly) { return deliver(within: .seconds(2), impatient: true) }
            } catch {
                log("the crash before stays where it is: \(error)")
            }
            flush()
            return .done
        }
        if mustWait {
            _ = scheduler.sendAndWait(atMost: .seconds(2), work)
        } else {
            scheduler.send { _ = work() }
        }
    }

    private var recovery: CrashRecovery { CrashRecovery(queue: queue, screen: screen) { [log] in log($0) } }

    /// Counts what is not sent, for the next batch.
    func note(_ losses: Losses) {
        deliverer.note(losses)
        planRound(after: options.flushInterval)
    }

    /// Queues the records that this run has left so far, and sends them, in the background.
    func sendRecords() {
        scheduler.write { [self] in
            do {
                try recovery.run(time: timekeeper.time)
            } catch {
                log("the record stays where it is: \(error)")
            }
            scheduler.send { [weak self] in _ = self?.deliver(within: nil, impatient: true) }
        }
    }

    /// The program ends: the session's end and all that is in memory go to disk, then one bounded try to send it. Blocks.
    func end(within: Duration) {
        // What hangs from here on, hangs at the program's end.
        core?.endWatching()
        let isFirst = state.withLock { !$0.hasEnded }
        guard isFirst else { return }
        endSession(at: timekeeper.time)
        state.withLock { $0.hasEnded = true }
        scheduler.writeAndWait { spill() }
        if let screen, screen.isAsking { recovery.endScreening() }
        // Whatever becomes of the sending, the run did end.
        core?.endRun()
        _ = scheduler.sendAndWait(atMost: within) { [self] in deliver(within: within, impatient: false) }
    }

    private static func isEarly(_ crash: Event) -> Bool {
        guard crash.type == .crash, case .number(let uptime) = crash.contexts["process"]?["uptime_s"] else {
            return false
        }
        return Duration.seconds(uptime) < earlyCrash
    }

    private func round(impatient: Bool = false) {
        state.withLock { $0.roundDone() }
        core?.noteAlive()
        spill()
        scheduler.send { [weak self] in _ = self?.deliver(within: nil, impatient: impatient) }
    }

    private func deliver(within: Duration?, impatient: Bool) -> Deliverer.Outcome {
        let outcome = deliverer.drain(within: within, impatient: impatient)
        switch outcome {
        case .waiting(let until): planRound(after: max(.zero, until - timekeeper.uptime))
        case .busy where !queue.files().isEmpty: planRound(after: options.flushInterval)
        default: break
        }
        return outcome
    }

    private func planRound(after wait: Duration) {
        let isNew = state.withLock { $0.planRound(at: timekeeper.uptime + wait) }
        if isNew { scheduler.write(after: wait) { [weak self] in self?.round() } }
    }

    /// Moves what is in memory to disk; it stays in memory where the disk refuses it. Called by the writing thread only:
    /// who waits for it then knows that everything before is on disk.
    private func spill() {
        let pending = state.withLock { state in
            defer { state.pending = [] }
            return state.pending
        }
        let losses = deliverer.takeLosses()
        do {
            try queue.add(pending.compactMap { $0.batchItem(log) }, losses: losses, time: timekeeper.time)
        } catch {
            log("\(error)")
            deliverer.note(losses)
            keep(pending)
        }
    }

    private func keep(_ items: [PendingItem]) {
        let dropped = state.withLock { state in
            let all = items + state.pending
            state.pending = all.suffix(Self.memoryLimit)
            return all.dropLast(state.pending.count)
        }
        var losses = Losses()
        for item in dropped { losses.add(.memoryOverflow, kind: item.kind.rawValue) }
        deliverer.note(losses)
        planRound(after: options.flushInterval)
    }
}
