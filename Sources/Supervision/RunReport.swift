// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import CrashRecord
package import Delivery
import FoundationEssentials
import Glibc
package import VakaModel

/// Leaves in a storage folder what is to be told of a run, as event documents in `crashes/`: the crash that its record
/// tells, with the last lines of standard error, or an end of which there is no record. What else lies there stays.
package struct RunReport: Sendable {
    private static let crashSignals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS]

    package let run: Supervisor.Run
    /// The program's name.
    package let program: String
    package var release: String?
    package var environment: String?
    /// Why the capture library could not be in the program, where that is known.
    package var obstacle: String?

    package init(run: Supervisor.Run, program: String, release: String?, environment: String?, obstacle: String?) {
        self.run = run
        self.program = program
        self.release = release
        self.environment = environment
        self.obstacle = obstacle
    }

    /// Events of this run, and the folder where they lie.
    package struct Kept {
        package var folder: StorageFolder
        package var events: [Event]
    }

    private struct Found {
        var events: [Event] = []
        /// The program left a run file.
        var hasFile = false
        /// Where a copy of the library that the program brings keeps its reports.
        var heirs: [String] = []
    }

    /// What was left, the named folder first; durable then. Throws a `StorageError` where a folder cannot be written.
    package func keep(in folder: StorageFolder, sdk: SDKInfo) throws -> [Kept] {
        let found = try keepFiles(in: folder, sdk)
        var kept = [Kept(folder: folder, events: found.events)]
        for heir in Set(found.heirs) where heir != folder.path && Self.isOwn(heir) {
            let other = try StorageFolder(existing: heir)
            kept.append(Kept(folder: other, events: try keepFiles(in: other, sdk).events))
        }
        if found.events.isEmpty, !found.hasFile, end.isAbnormal {
            kept[0].events.append(try write(adding(to: withoutFiles), folder))
        }
        return kept
    }

    private func keepFiles(in folder: StorageFolder, _ sdk: SDKInfo) throws -> Found {
        let queue = try BatchQueue(folder: folder, sdk: sdk)
        let lock = try FileLock(waitingFor: folder.recoveryLock)
        defer { withExtendedLifetime(lock) {} }
        let runs = DeadRuns(folder)
        runs.keepRecords()
        var found = Found(events: try keepRecords(folder))
        try runs.forEach { file in
            guard isOfThisRun(file) else { return false }
            found.hasFile = true
            if file.state == VAKA_RUN_HANDED_OVER {
                found.heirs += [file.context.run["heir"]].compactMap(\.self)
                return true
            }
            let isTold = found.events.contains { $0.eventID == file.recordID }
            let ended = EndedRun(file, end: end(hasFile: true))
            // In state 3 there was a record, which another process took meanwhile.
            if self.end.isAbnormal, !isTold, file.state != VAKA_RUN_CRASHED {
                found.events.append(try write(adding(to: ended.event(id: file.recordID, arch: nil)), folder))
            } else if !isTold, let session = ended.session {
                try queue.add([try BatchItem(session: session)], time: run.ended)
            }
            return true
        }
        return found
    }

    /// A program with fewer rights must not lead this process to other people's folders.
    private static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return path.hasPrefix("/") && lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            && status.st_uid == geteuid() && status.st_mode & 0o022 == 0
    }

    private func keepRecords(_ folder: StorageFolder) throws -> [Event] {
        var events: [Event] = []
        for report in folder.names(in: folder.crashes).compactMap({ KeptReport(name: $0) }) where report.isRecord {
            let path = folder.crashes + "/" + report.name
            guard let event = try? report.event(path: path), isOfThisRun(event) else { continue }
            events.append(try write(adding(to: event), folder))
            try DurableFile.remove(path)
        }
        return events
    }

    private func write(_ event: Event, _ folder: StorageFolder) throws -> Event {
        try DurableFile.write(
            try ModelCoding.encode(event), name: event.eventID + KeptReport.documentSuffix, folder: folder.crashes)
        return event
    }

    /// The program's own crash, or that of a child whose end a shell passes on as 128 + the signal.
    func isOfThisRun(_ event: Event) -> Bool {
        // The clock of records is the system's own, and may be set meanwhile: a second is let pass.
        guard event.type == .crash, event.timestamp.milliseconds + 1000 >= run.started.milliseconds,
            event.timestamp.milliseconds <= run.ended.milliseconds + 1000
        else { return false }
        if event.contexts["process"]?["pid"] == .integer(Int64(run.processID)) { return true }
        guard case .exited(let code) = run.status, let signal = event.reason?.number else { return false }
        return Int(code) == 128 + signal
    }

    /// Whether a run file is the program's: one of its process id and time.
    private func isOfThisRun(_ file: RunFile) -> Bool {
        file.pid == Int(run.processID) && file.started.milliseconds + 1000 >= run.started.milliseconds
    }

    func adding(to event: Event) -> Event {
        var event = event
        event.breadcrumbs = (event.breadcrumbs + run.errors.breadcrumbs).enumerated()
            .sorted { ($0.element.timestamp, $0.offset) < ($1.element.timestamp, $1.offset) }.map(\.element)
        if let panic = run.errors.panic, event.type == .crash, event.reason?.message == nil {
            event.reason = event.reason ?? Reason()
            event.reason?.message = panic.text
            event.reason?.messageSource = .stderr
        }
        event.contexts["process"] = .object(withFigures(event.contexts["process"]?.object ?? [:]))
        event.release = event.release ?? release
        event.environment = event.environment ?? environment
        return event
    }

    /// The most that was used: the parent learns of it at the end, however the program ended.
    private func withFigures(_ process: [String: JSONValue]) -> [String: JSONValue] {
        var process = process
        var memory = process["memory"]?.object ?? [:]
        let known: UInt64 = if case .integer(let bytes)? = memory["peak_resident_bytes"] { UInt64(bytes) } else { 0 }
        if let peak = run.peakResident, peak > known { memory["peak_resident_bytes"] = .integer(Int64(peak)) }
        if let version = run.group.version {
            var group = memory["cgroup"]?.object ?? ["version": .integer(Int64(version)), "usage_bytes": .null]
            group["path"] = group["path"] ?? run.group.path.map { .string($0) } ?? .null
            group["limit_bytes"] = run.groupAfter.limit.map { .integer(Int64($0)) } ?? .null
            group["peak_usage_bytes"] = run.groupAfter.peak.map { .integer(Int64($0)) } ?? .null
            group["oom_kills"] = run.groupAfter.kills.map { .integer(Int64($0)) } ?? .null
            memory["cgroup"] = .object(group)
        }
        process["memory"] = .object(memory)
        return process
    }

    /// How the program ended, as its parent knows it.
    var end: RunEnd { end(hasFile: false) }

    private func end(hasFile: Bool) -> RunEnd {
        var end: RunEnd
        switch run.status {
        case .signalled(SIGKILL): end = killed
        case .signalled(let signal) where Self.crashSignals.contains(signal):
            end = RunEnd(.crashed, .certain, signal: signal)
            end.whyNoRecord =
                hasFile
                ? "the signal came past the handler that was there at the start"
                : obstacle ?? "libvakacrash.so was not in the program"
        case .signalled(let signal): end = RunEnd(.asked, .certain, signal: signal)
        case .exited(let code):
            let isPanic = run.errors.panic?.explains(exitStatus: code) == true
            end = RunEnd(isPanic ? .crashed : .exited, .certain)
            end.exitStatus = code
            end.whyNoRecord = "it exited by itself"
        }
        end.time = run.ended
        end.killsBefore = run.groupBefore.kills
        end.killsNow = run.groupAfter.kills
        return end
    }

    private var killed: RunEnd {
        let (before, now) = (run.groupBefore.kills, run.groupAfter.kills)
        let isMemory = before.flatMap { before in now.map { $0 > before } } ?? false
        return RunEnd(isMemory ? .outOfMemory : .killed, isMemory ? .likely : .certain, signal: SIGKILL)
    }

    /// Of a program that left neither a record nor a run file.
    private var withoutFiles: Event {
        var event = EndedRun(nil, end: end).event(id: BatchQueue.newID(), arch: Self.architecture)
        var process = event.contexts["process"]?.object ?? [:]
        process["name"] = .string(program)
        process["pid"] = .integer(Int64(run.processID))
        process["uptime_s"] = .number(Double(run.ended.milliseconds - run.started.milliseconds) / 1000)
        event.contexts["process"] = .object(process)
        event.contexts.merge(HostContexts.contexts) { $1 }
        return event
    }

    private static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #else
            "arm64"
        #endif
    }
}
