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
    /// Records kept in `crashes/damaged`; the oldest go first.
    static let damagedKept = 20
    /// How often a record's reading is begun, unless it comes to an end.
    private static let attemptLimit = 3
    /// A run file that cannot be read may belong to a run that is just starting; after this it does not.
    private static let settled: time_t = 3600

    private let folder: StorageFolder
    private let queue: BatchQueue
    private let end: @Sendable (RunFile) -> RunEnd?
    private let amend: @Sendable (Event) -> Event
    private let log: @Sendable (String) -> Void

    /// `end` says how a run without a record ended; nil where its process lives on as another program. `amend` may add
    /// to an event what the files cannot know.
    package init(
        queue: BatchQueue, log: @escaping @Sendable (String) -> Void = { _ in },
        end: @escaping @Sendable (RunFile) -> RunEnd? = { RunEndFinder().end(of: $0) },
        amend: @escaping @Sendable (Event) -> Event = { $0 }
    ) {
        folder = queue.folder
        self.queue = queue
        self.end = end
        self.amend = amend
        self.log = log
    }

    /// Whether `run` would find a record.
    package var hasRecords: Bool { folder.names(in: folder.crashes).contains { Self.attempts(name: $0) != nil } }

    /// The crashes and abnormal ends that were queued. Throws when the queue cannot be written; then the files are where
    /// they were.
    @discardableResult
    package func run(time: Timestamp) throws -> [Event] {
        let lock = try FileLock(waitingFor: folder.path + "/recovery.lock")
        defer { withExtendedLifetime(lock) {} }
        for name in folder.names(in: folder.runs) where name.hasSuffix(Self.recordSuffix) { keepRecord(name) }
        var events: [Event] = []
        for name in folder.names(in: folder.crashes) {
            guard let attempts = Self.attempts(name: name) else { continue }
            if let event = try queueRecord(name, attempts: attempts, time: time) { events.append(event) }
        }
        let reported = Set(events.map(\.eventID))
        for name in folder.names(in: folder.runs) where name.hasSuffix(Self.runSuffix) {
            if let event = try queueRun(folder.runs + "/" + name, reported, time) { events.append(event) }
        }
        return events
    }

    private static let recordSuffix = ".vakacrash"
    private static let runSuffix = ".vakarun"

    /// How often reading was begun, from `<id>.vakacrash` or `<id>.vakacrash.<attempts>`; nil for other names.
    private static func attempts(name: String) -> Int? {
        if name.hasSuffix(recordSuffix) { return 0 }
        let parts = name.split(separator: ".")
        return parts.count > 2 && parts[parts.count - 2] == recordSuffix.dropFirst() ? Int(parts[parts.count - 1]) : nil
    }

    /// The attempt is counted in the file's name before it is made, so that a record whose reading ends the process
    /// does so a few times only.
    private func queueRecord(_ name: String, attempts: Int, time: Timestamp) throws -> Event? {
        let plain = name.hasSuffix(Self.recordSuffix) ? name : String(name.prefix { $0 != "." }) + Self.recordSuffix
        let path = "\(folder.crashes)/\(plain).\(attempts + 1)"
        guard attempts < Self.attemptLimit, rename(folder.crashes + "/" + name, path) == 0 else {
            log("set aside: \(name), whose reading did not come to an end")
            setAside(folder.crashes + "/" + name, name: plain)
            return nil
        }
        let event: Event
        do {
            event = amend(try CrashRecordFile(contentsOf: path).event())
        } catch {
            log("set aside: \(error)")
            setAside(path, name: plain)
            return nil
        }
        do {
            try queue.add(try BatchItem.items(of: event), time: time)
        } catch {
            // The record is not to blame.
            rename(path, folder.crashes + "/" + plain)
            throw error
        }
        try DurableFile.remove(path)
        log("\(event.type) \(event.eventID) is queued")
        return event
    }

    private func setAside(_ path: String, name: String) {
        mkdir(folder.damaged, 0o700)
        if rename(path, folder.damaged + "/" + name) != 0 { unlink(path) }
        let kept = folder.names(in: folder.damaged)
        for name in kept.prefix(max(0, kept.count - Self.damagedKept)) { unlink(folder.damaged + "/" + name) }
    }

    /// A dead run's record that was begun goes to the others, however far it goes; one that was only allocated goes away.
    private func keepRecord(_ name: String) {
        let path = folder.runs + "/" + name
        guard let descriptor = openDead(path) else { return }
        defer { close(descriptor) }
        guard let header = try? BoundedFile.read(descriptor: descriptor, limit: 1024), !header.isEmpty else {
            // One that a crash is making at this moment is empty, and locked next.
            if isSettled(descriptor) { unlink(path) }
            return
        }
        if let id = CrashRecordFile.recordID(ofHeader: header) {
            rename(path, "\(folder.crashes)/\(id)\(Self.recordSuffix)")
        } else {
            unlink(path)
        }
    }

    private func queueRun(_ path: String, _ reported: Set<String>, _ time: Timestamp) throws -> Event? {
        guard let descriptor = openDead(path) else { return nil }
        defer { close(descriptor) }
        guard let run = try? RunFile(contentsOf: path) else {
            if isSettled(descriptor) {
                log("removed: \(path) is no run file")
                try DurableFile.remove(path)
            }
            return nil
        }
        var event: Event?
        if let end = end(run) {
            let ended = EndedRun(run, end: end)
            // A record that was queued earlier is told of again, under the same id: it counts once.
            let isTold = reported.contains(run.recordID) || run.state == VAKA_RUN_CRASHED
            event = end.isAbnormal && !isTold ? amend(ended.event(id: run.recordID, arch: nil)) : nil
            var items = try event.map { [try BatchItem(event: $0)] } ?? []
            if let session = ended.session, !reported.contains(run.recordID) {
                items.append(try BatchItem(session: session))
            }
            if !items.isEmpty { try queue.add(items, time: time) }
            log("run \(run.runID) is over: \(end.cause.rawValue)")
        }
        try DurableFile.remove(path)
        return event
    }

    /// The file of a run whose process is gone, open and locked; nil while it lives, which holds the lock.
    private func openDead(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private func isSettled(_ descriptor: Int32) -> Bool {
        var information = stat()
        fstat(descriptor, &information)
        return Glibc.time(nil) - information.st_mtim.tv_sec > Self.settled
    }
}
