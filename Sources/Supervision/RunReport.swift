// SPDX-License-Identifier: Apache-2.0
import CrashRecord
package import Delivery
import FoundationEssentials
import Glibc
import Synchronization
package import VakaModel

/// Puts into a storage folder's queue what is to be told of a run: the crash that its record tells, with the last lines
/// of standard error, or an event of its own where there is no record.
package struct RunReport: Sendable {
    private static let crashSignals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS]

    package let run: Supervisor.Run
    /// The program's name.
    package let program: String
    package var release: String?
    package var environment: String?

    package init(run: Supervisor.Run, program: String, release: String?, environment: String?) {
        self.run = run
        self.program = program
        self.release = release
        self.environment = environment
    }

    /// Queues it and what else dead runs left in the folder; returns the events of this run. Throws a `StorageError`
    /// where the queue cannot be written.
    package func enqueue(in queue: BatchQueue) throws -> [Event] {
        let told = Mutex<[Event]>([])
        let recovery = CrashRecovery(
            queue: queue,
            end: { isOfThisRun($0) ? end : RunEndFinder().end(of: $0) },
            amend: { event in
                guard isOfThisRun(event) else { return event }
                let amended = adding(to: event)
                told.withLock { $0.append(amended) }
                return amended
            })
        try recovery.run(time: run.ended)
        var events = told.withLock { $0 }
        if events.isEmpty, end.isAbnormal {
            let event = adding(to: withoutFiles)
            try queue.add([try BatchItem(event: event)], time: run.ended)
            events = [event]
        }
        return events
    }

    /// The program's own crash, or that of a child whose end a shell passes on as 128 + the signal.
    func isOfThisRun(_ event: Event) -> Bool {
        // The clock of records is the system's own, and may be set meanwhile: a second is let pass.
        guard event.type == .crash || event.type == .abnormal,
            event.timestamp.milliseconds + 1000 >= run.started.milliseconds,
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
        event.release = event.release ?? release
        event.environment = event.environment ?? environment
        return event
    }

    /// How the program ended, as its parent knows it.
    var end: RunEnd {
        var end: RunEnd
        switch run.status {
        case .signalled(SIGKILL):
            let isMemory = run.killsBefore.flatMap { before in run.killsAfter.map { $0 > before } } ?? false
            end = RunEnd(isMemory ? .outOfMemory : .killed, isMemory ? .likely : .certain, signal: SIGKILL)
        case .signalled(let signal) where Self.crashSignals.contains(signal):
            end = RunEnd(.crashed, .certain, signal: signal)
        case .signalled(let signal): end = RunEnd(.asked, .certain, signal: signal)
        case .exited(let code):
            let isPanic = run.errors.panic?.explains(exitStatus: code) == true
            end = RunEnd(isPanic ? .crashed : .exited, .certain)
            end.exitStatus = code
        }
        end.time = run.ended
        end.killsBefore = run.killsBefore
        end.killsNow = run.killsAfter
        return end
    }

    /// Of a program that left neither a record nor a run file.
    private var withoutFiles: Event {
        var event = EndedRun(nil, end: end).event(id: BatchQueue.newID(), arch: Self.architecture)
        var process = event.contexts["process"]?.object ?? [:]
        process["name"] = .string(program)
        process["pid"] = .integer(Int64(run.processID))
        process["uptime_s"] = .number(Double(run.ended.milliseconds - run.started.milliseconds) / 1000)
        event.contexts["process"] = .object(process)
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
