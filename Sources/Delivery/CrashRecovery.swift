// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
package import CrashRecord
import FoundationEssentials
import Glibc
package import VakaModel

/// Turns what runs that are over left in the storage folder into batches: crash records into events and the ends of
/// their sessions, run files of runs that simply stopped into abnormal ends.
///
/// A record is removed only after its batch is durable. One that cannot be read is set aside in `crashes/damaged`. Safe
/// for several processes at once.
package struct CrashRecovery: Sendable {
    /// Reports kept in `crashes/damaged`; the oldest go first.
    static let damagedKept = 20
    /// How often a report's reading is begun, unless it comes to an end.
    private static let attemptLimit = 3

    let folder: StorageFolder
    private let queue: BatchQueue
    let screen: (any EventScreen)?
    let files: AttachedFiles?
    private let named: @Sendable (String) -> BatchQueue?
    private let end: @Sendable (RunFile) -> RunEnd?
    let log: @Sendable (String) -> Void

    /// What a run left goes to the queue that it named, where `named` knows it, else to `queue`. `files` reads what a run
    /// named to be attached; without it, that is told to be missing. `end` says how a run without a record ended; nil where
    /// its process lives on as another program.
    package init(
        queue: BatchQueue, named: @escaping @Sendable (String) -> BatchQueue? = { _ in nil },
        screen: (any EventScreen)? = nil, files: AttachedFiles? = nil,
        log: @escaping @Sendable (String) -> Void = { _ in },
        end: @escaping @Sendable (RunFile) -> RunEnd? = { RunEndFinder().end(of: $0) }
    ) {
        folder = queue.folder
        self.queue = queue
        self.screen = screen
        self.named = named
        self.files = files
        self.end = end
        self.log = log
    }

    package init(
        _ outbox: Outbox, screen: (any EventScreen)? = nil, files: AttachedFiles? = nil,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.init(queue: outbox.queue, named: { outbox.queue(named: $0) }, screen: screen, files: files, log: log)
    }

    /// Whether `run` would find a record.
    package var hasRecords: Bool { folder.names(in: folder.crashes).contains { KeptReport(name: $0) != nil } }

    /// The crashes and abnormal ends that were queued. Throws when the queue cannot be written; then the files are where
    /// they were.
    @discardableResult
    package func run(time: Timestamp) throws -> [Event] {
        let lock = try FileLock(waitingFor: folder.recoveryLock)
        defer { withExtendedLifetime(lock) {} }
        let mark = ScreeningMark(folder)
        let runs = DeadRuns(folder)
        runs.keepRecords()
        var events: [Event] = []
        for report in folder.names(in: folder.crashes).compactMap({ KeptReport(name: $0) }) {
            if let event = try queueReport(report, mark, time: time) { events.append(event) }
        }
        let reported = Set(events.map(\.eventID))
        try runs.forEach { run in
            guard let end = end(run) else { return true }
            guard let told = try told(run, end, reported, mark) else { return false }
            try queueRun(run, end, told, time)
            LastMoments.remove(named: run.context.recording, in: folder)
            if let event = told.event { events.append(event) }
            return true
        }
        if mark.isFatal { ScreeningMark.clear(folder) }
        LastMoments.sweep(folder)
        return events
    }

    private func queueReport(_ report: KeptReport, _ mark: ScreeningMark, time: Timestamp) throws -> Event? {
        let path = folder.crashes + "/" + report.nextName
        guard report.attempts < Self.attemptLimit, rename(folder.crashes + "/" + report.name, path) == 0 else {
            log("set aside: \(report.name), whose reading did not come to an end")
            setAside(folder.crashes + "/" + report.name, name: report.plain)
            return nil
        }
        let event: Event
        let queue: BatchQueue
        do {
            let (read, name) = try report.read(path: path)
            event = read
            queue = name.flatMap(named) ?? self.queue
        } catch {
            log("set aside: \(report.plain): \(error)")
            setAside(path, name: report.plain)
            return nil
        }
        var recording: String?
        do {
            recording = report.recording(path: path)
            guard let told = try told(event, report.attachments(path: path), recording, mark) else {
                rename(path, folder.crashes + "/" + report.plain)
                return nil
            }
            try queue.add(told.items, losses: told.losses, time: time)
        } catch {
            // The report is not to blame.
            rename(path, folder.crashes + "/" + report.plain)
            throw error
        }
        try DurableFile.remove(path)
        if event.isEndOfRun { LastMoments.remove(named: recording, in: folder) }
        log("\(event.type) \(event.eventID) is queued")
        return event
    }

    private func setAside(_ path: String, name: String) {
        mkdir(folder.damaged, 0o700)
        if rename(path, folder.damaged + "/" + name) != 0 { unlink(path) }
        let kept = folder.names(in: folder.damaged)
        for name in kept.prefix(max(0, kept.count - Self.damagedKept)) { unlink(folder.damaged + "/" + name) }
    }

    private func queueRun(_ run: RunFile, _ end: RunEnd, _ told: ToldEvent, _ time: Timestamp) throws {
        log("run \(run.runID) is over: \(end.cause.rawValue)")
        var items = told.items
        if let hang = run.hang?.eventID {
            let ended = HangEnd(eventID: hang, outcome: .ended, duration: nil, timestamp: end.time ?? time)
            items.append(try BatchItem(hangEnd: ended))
        }
        try (run.context.queue.flatMap(named) ?? queue).add(items, losses: told.losses, time: time)
    }

    /// What is to be told of a run's end and session, beside its record's event, which tells of both. Nil: not now.
    private func told(
        _ run: RunFile, _ end: RunEnd, _ reported: Set<String>, _ mark: ScreeningMark
    ) throws -> ToldEvent? {
        // A document of `vaka run` does not name the run's last moments.
        if reported.contains(run.recordID) {
            return ToldEvent(items: LastMoments.items(named: run.context.recording, of: run.recordID, in: folder))
        }
        let ended = EndedRun(run, end: end)
        // A record that was queued earlier is told of again, under the same id: it counts once.
        if end.isAbnormal, run.state != VAKA_RUN_CRASHED {
            let event = ended.event(id: run.recordID, arch: nil)
            return try told(event, run.context.attachments, run.context.recording, mark)
        }
        return ToldEvent(items: try ended.session.map { [try BatchItem(session: $0)] } ?? [])
    }
}
