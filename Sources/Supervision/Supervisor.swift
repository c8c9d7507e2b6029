// SPDX-License-Identifier: Apache-2.0
import CLinux
import CrashRecord
import Glibc
package import VakaModel

/// Runs a program as its parent: carries its standard error on, forwards signals, stops when it stops, and reaps what is
/// orphaned while it is the first process of a namespace. For the main thread of a process that has no other.
package struct Supervisor {
    /// What is known of a run that is over.
    package struct Run: Sendable {
        package var processID: Int32
        package var started: Timestamp
        package var ended: Timestamp
        package var status: EndStatus
        package var errors: ErrorTail
        /// What the program, or a child that it waited for, had in memory at most; nil where it is less than what this
        /// process has, which the kernel counts along.
        package var peakResident: UInt64?
        package var group: ControlGroup
        package var groupBefore: ControlGroup.Figures
        package var groupAfter: ControlGroup.Figures
    }

    private let signals: Int32
    private let child: pid_t
    private var relay: ErrorRelay
    private var status: EndStatus?
    private var usage = rusage()

    /// Starts the command, which must not be empty, and returns after its end. Signals that came for the program stay
    /// blocked afterwards: what is told of the run is told to its end.
    package static func run(
        _ command: [String], environment: [String: String], group: ControlGroup
    ) throws(SupervisionError) -> Run {
        let forwarding = SignalForwarding()
        let channel = try ErrorChannel.open()
        let before = group.figures
        let started = Timestamp.now
        let child = try ChildLaunch(
            command: command, environment: environment, errors: channel?.writing, mask: forwarding.maskBefore
        ).start()
        if let channel { close(channel.writing) }
        signal(SIGPIPE, SIG_IGN)
        var supervisor = Supervisor(
            signals: try forwarding.descriptor(), child: child, relay: ErrorRelay(channel))
        let status = supervisor.watch()
        return Run(
            processID: child, started: started, ended: .now, status: status, errors: supervisor.relay.tail,
            peakResident: supervisor.peakResident, group: group, groupBefore: before, groupAfter: group.figures)
    }

    private init(signals: Int32, child: pid_t, relay: ErrorRelay) {
        self.signals = signals
        self.child = child
        self.relay = relay
    }

    private mutating func watch() -> EndStatus {
        while true {
            var wanted = [pollfd(fd: signals, events: Int16(POLLIN), revents: 0), relay.interest]
            guard poll(&wanted, 2, -1) > 0 else { continue }
            if wanted[0].revents != 0 { takeSignals() }
            if let status {
                relay.drain()
                return status
            }
            if wanted[1].revents != 0 { relay.advance() }
        }
    }

    private mutating func takeSignals() {
        var info = signalfd_siginfo()
        while read(signals, &info, MemoryLayout<signalfd_siginfo>.size) == MemoryLayout<signalfd_siginfo>.size {
            if info.ssi_signo == UInt32(SIGCHLD) {
                reap()
            } else if status == nil {
                if info.ssi_signo == UInt32(SIGWINCH) { relay.resize() }
                SignalForwarding.forward(info, to: child)
            }
        }
    }

    private mutating func reap() {
        var waited: Int32 = 0
        var used = rusage()
        while true {
            let changed = wait4(-1, &waited, WNOHANG | WUNTRACED, &used)
            guard changed > 0 else { return }
            guard changed == child else { continue }
            if waited & 0xff == 0x7f {
                JobControl.follow(child, stoppedBy: (waited >> 8) & 0xff)
            } else {
                status = EndStatus(waitStatus: waited)
                usage = used
            }
        }
    }

    /// Until the program was run, its process had the supervisor's memory: what is not beyond that is not known to be its
    /// own. `getrusage` would count the supervisor's own parent the same way.
    private var peakResident: UInt64? {
        guard let own = Self.ownPeak, usage.ru_maxrss > own else { return nil }
        return UInt64(usage.ru_maxrss) * 1024
    }

    /// Of this process, in KiB.
    private static var ownPeak: Int? {
        let status = (try? BoundedFile.read("/proc/self/status", limit: 64 << 10)) ?? []
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.filter(\.isNumber)) }
    }
}
