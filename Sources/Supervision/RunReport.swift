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
        // Recovery removes it.
        let file = runFile(queue.folder)
        let told = Mutex<[Event]>([])
        let recovery = CrashRecovery(
            queue: queue,
            amend: { event in
                guard isOfThisRun(event) else { return event }
                let amended = adding(to: event)
                told.withLock { $0.append(amended) }
                return amended
            })

        try recovery.run(time: run.ended)
        var events = told.withLock { $0 }
        if events.isEmpty, let event = eventWithoutRecord(file) {
            try queue.add([try BatchItem(event: event)], time: run.ended)
            events = [event]
        }
        return events
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

    func adding(to event: Event) -> Event {
        var event = event
        event.breadcrumbs = (event.breadcrumbs + run.errors.breadcrumbs).enumerated()
            .sorted { ($0.element.timestamp, $0.offset) < ($1.element.timestamp, $1.offset) }.map(\.element)
        if let panic = run.errors.panic, event.reason?.message == nil {
            event.reason = event.reason ?? Reason()
            event.reason?.message = panic.text
            event.reason?.messageSource = .stderr
        }
        event.release = event.release ?? release
        event.environment = event.environment ?? environment
        return event
    }

    /// Nil where there is nothing to tell: the program ended by itself, or by a signal that asks it to.
    func eventWithoutRecord(_ file: RunFile?) -> Event? {
        switch run.status {
        case .signalled(SIGKILL):
            let isMemory = (run.memoryKills ?? 0) > 0
            let message =
                isMemory
                ? "killed for memory: its control group's count of such kills went up by \(run.memoryKills ?? 0)"
                : "killed by SIGKILL"
            return event(
                .abnormal, file,
                Reason(
                    signal: "SIGKILL", number: Int(SIGKILL), message: message,
                    kind: isMemory ? .outOfMemory : .killed))
        case .signalled(let signal) where Self.crashSignals.contains(signal):
            let reason = Reason(
                signal: SignalNames.signal(signal), number: Int(signal),
                exception: SignalNames.exception(signal: signal, code: nil, isSwiftTrap: false))
            return event(.crash, file, reason)
        case .exited(let code) where run.errors.panic?.explains(exitStatus: code) == true:
            return event(.crash, file, Reason())
        default: return nil
        }
    }

    private func event(_ type: EventType, _ file: RunFile?, _ reason: Reason) -> Event {
        var event = Event(
            eventID: file?.recordID ?? BatchQueue.newID(), type: type, timestamp: run.ended, level: .fatal,
            arch: Self.architecture)
        let context = file?.context ?? RunContext()
        event.contexts = context.contexts
        var process = event.contexts["process"]?.object ?? [:]
        process["name"] = process["name"] ?? .string(program)
        process["pid"] = .integer(Int64(run.processID))
        process["uptime_s"] = .number(Double(run.ended.milliseconds - run.started.milliseconds) / 1000)
        if case .exited(let code) = run.status { process["exit_status"] = .integer(Int64(code)) }
        event.contexts["process"] = .object(process)
        event.release = context.release
        event.environment = context.environment
        event.user = context.user
        event.tags = context.tags
        event.breadcrumbs = file?.breadcrumbs ?? []
        event.reason = reason
        event.loss = [
            Loss(what: "threads", why: type == .abnormal ? "SIGKILL leaves no record" : "the program left no record")
        ]
        return adding(to: event)
    }

    /// The newest run file of the program's process id and time.
    private func runFile(_ folder: StorageFolder) -> RunFile? {
        folder.names(in: folder.runs).filter { $0.hasSuffix(".vakarun") }
            .compactMap { try? RunFile(contentsOf: folder.runs + "/" + $0) }
            .filter { $0.pid == Int(run.processID) && $0.started.milliseconds + 1000 >= run.started.milliseconds }
            .max { $0.started < $1.started }
    }

    private static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #else
            "arm64"
        #endif
    }
}
