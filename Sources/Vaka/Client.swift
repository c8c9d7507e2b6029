// SPDX-License-Identifier: Apache-2.0
import CVakaHost
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
    let clock: ClientClock
    let core: CrashCore?
    let state: Mutex<ClientState>
    let intake: Mutex<Intake>
    let records = Mutex(RecordIntake())
    let network: Mutex<NetworkSettings>
    let capabilityOrder = Mutex(())
    /// Those that reports take along.
    let exchanges: ExchangeTable
    /// Called on any thread when the service wants something else.
    let whenSettingsChange = Mutex<(@Sendable () -> Void)?>(nil)
    let recordings = RecordingSlot()
    let scheduler: any Scheduler
    let hooks: Hooks
    let errorRate: SampleRate
    let trackRate: SampleRate
    let sessionRate: SampleRate
    /// Whether no session begins any more; held while one begins or ends.
    let sessionsAreOver = Mutex(false)
    /// Called once, on any thread, when consent is found to be withdrawn.
    let whenWithdrawn = Mutex<(@Sendable () -> Void)?>(nil)
    private let screen: RecoveredEventScreen?
    let outbox: Outbox
    let pseudonyms: Pseudonyms
    private let processID = vaka_host_process_id()

    /// A forked child has the memory of this value but none of its threads.
    var isOwnProcess: Bool { vaka_host_process_id() == processID }

    var timekeeper: any Timekeeper { clock }

    /// Makes the folders, catches crashes from here on, and begins a session. Sends nothing yet.
    init(
        options: Vaka.Options, user: Vaka.User? = nil, transport: (any Transport)? = nil,
        scheduler: any Scheduler = DispatchScheduler(), timekeeper: any Timekeeper = SystemTimekeeper()
    ) throws {
        let log = DebugLog(isOn: options.debug)
        let endpoint = try ServiceEndpoint(url: options.endpoint.absoluteString)
        let key = try IngestKey(options.key)
        let folder = try StorageChoice.folder(
            options.storageDirectory?.path, application: StorageChoice.application,
            environment: ProcessInfo.processInfo.environment, remedy: "set storageDirectory")
        log("keeps reports in \(folder.path), sends them to \(endpoint)")
        var limits = DeliveryLimits()
        limits.batchItems = max(1, options.maxBatchSize)
        outbox = try Outbox(
            folder: folder, destination: Destination(endpoint: endpoint, key: key.text), sdk: CrashCore.sdk,
            limits: limits, transport: transport ?? HostTransport(options), timekeeper: timekeeper, log: { log($0) })
        let settings = ServerSettings.kept(in: outbox.queue)
        let options = settings.applied(to: options)
        // Last of what may fail: what is installed stays.
        let core = options.crashReporting ? CrashCore(folder: folder, options: options, log: log) : nil
        core?.set(.sdk, "queue", outbox.destination.id)
        pseudonyms = Pseudonyms(salt: options.pseudonymSalt ?? Pseudonyms.salt(ofKey: key.text))
        self.options = options
        hooks = Hooks(options)
        screen = RecoveredEventScreen(hooks)
        errorRate = SampleRate(options.errorSampleRate)
        trackRate = SampleRate(options.trackSampleRate)
        sessionRate = SampleRate(options.sessionSampleRate)
        self.log = log
        self.core = core
        network = Mutex(Self.networkSettings(options, settings))
        exchanges = ExchangeTable { core?.set(exchange: $2, slot: $0, order: $1) }
        self.scheduler = scheduler
        clock = ClientClock(timekeeper)
        intake = Mutex(Intake { [outbox] in outbox.makeSpoolFile() })
        state = Mutex(
            ClientState(
                tags: options.tags, contexts: HostFacts.contexts(core: core, folder: folder), settings: settings))
        for (key, value) in options.tags { core?.set(.tag, key, value) }
        watchThrows()
        if let user { identify(user) }
        if options.sessionTracking { beginSession() }
    }

    /// Keeps an item for the next batch: a crash that follows does not lose it.
    @discardableResult
    func add(_ item: PendingItem) -> Vaka.APIError? {
        guard !item.isLogged || state.withLock({ $0.settings.eventLogging }) else { return .notRunning }
        // Before the lock is taken, since it takes its time.
        let line = item.line
        let count = intake.withLock { intake -> Int? in
            guard !intake.hasEnded else { return nil }
            intake.add(item, line)
            return intake.count
        }
        guard let count else { return .notRunning }
        if count == max(1, options.maxBatchSize) {
            scheduler.write { [weak self] in self?.round() }
        } else {
            planRound(after: options.flushInterval)
        }
        return nil
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
                try outbox.recoverSpools(time: timekeeper.time)
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

    func recoverRecords() {
        do {
            try recovery.run(time: timekeeper.time)
        } catch {
            log("the record stays where it is: \(error)")
        }
    }

    private var recovery: CrashRecovery {
        CrashRecovery(outbox, screen: screen, files: AttachedFiles(limit: options.attachmentLimit)) { [log] in log($0) }
    }

    var storage: StorageFolder { outbox.queue.folder }
    /// Batch files that wait.
    var waitingBatches: Int { outbox.waiting }
    /// Why the last round did not deliver everything, for a person.
    var problem: String? { outbox.problem }

    /// Queues the records that this run has left so far, and sends them, in the background.
    func sendRecords() {
        scheduler.write { [self] in
            recoverRecords()
            scheduler.send { [weak self] in _ = self?.deliver(within: nil, impatient: true) }
        }
    }

    /// The program ends: the session's end and all that is in memory go to disk, then one bounded try to send it. Blocks.
    func end(within: Duration) {
        // What hangs from here on, hangs at the program's end.
        core?.endWatching()
        // Of a stop that was not reported in time, what it had to write.
        if intake.withLock({ $0.hasEnded }) { return scheduler.writeAndWait { spill() } }
        endCollecting()
        scheduler.writeAndWait { spill() }
        if let screen, screen.isAsking { recovery.endScreening() }
        // Whatever becomes of the sending, the run did end.
        core?.endRun()
        _ = scheduler.sendAndWait(atMost: within) { [self] in deliver(within: within, impatient: false) }
        // What the sending gave up.
        scheduler.writeAndWait { spill() }
    }

    /// The session ends, and nothing is taken in from here on.
    func endCollecting() {
        takeRecords()
        recordings.stopped()
        endSessions(at: timekeeper.time)
        intake.withLock { $0.hasEnded = true }
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
        scheduler.send { [weak self] in
            guard let self, deliver(within: nil, impatient: impatient) == .done else { return }
            refreshSettings()
        }
    }

    func deliver(within: Duration?, impatient: Bool) -> Deliverer.Outcome {
        let outcome = outbox.drain(within: within, impatient: impatient)
        switch outcome {
        case .waiting(let until): planRound(after: max(.zero, until - timekeeper.uptime))
        case .busy where outbox.waiting > 0: planRound(after: options.flushInterval)
        default: break
        }
        return outcome
    }

    func planRound(after wait: Duration) {
        let isNew = state.withLock { $0.planRound(at: timekeeper.uptime + wait) }
        if isNew { scheduler.write(after: wait) { [weak self] in self?.round() } }
    }

    /// Moves what is in memory to disk; it stays in memory where the disk refuses it. Called by the writing thread only:
    /// who waits for it then knows that everything before is on disk.
    func spill() {
        if heedsWithdrawal() { return }
        takeRecords()
        let load = intake.withLock { $0.take() }
        let given = outbox.takeLosses()
        var losses = load.losses
        losses.merge(given)
        do {
            try outbox.queue.add(load.items.compactMap { $0.batchItem(log) }, losses: losses, time: timekeeper.time)
            for file in load.files { file.remove() }
        } catch {
            log("\(error)")
            outbox.note(given)
            keep(load)
        }
    }

    private func keep(_ load: Intake.Load) {
        var load = load
        // What the disk refuses does not fill the memory with pictures.
        let recordings = load.takeRecordings()
        let dropped = recordings + intake.withLock { $0.putBack(load, limit: Self.memoryLimit) }
        var losses = Losses()
        for item in dropped { losses.add(.memoryOverflow, kind: item.kind.rawValue) }
        outbox.note(losses)
        planRound(after: options.flushInterval)
    }
}
