// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
package import VakaModel

/// Runs a program as its parent: carries its standard error on, forwards signals, and reaps what is orphaned while it is
/// the first process of a namespace. For the main thread of a process that has no other.
package struct Supervisor {
    /// What is known of a run that is over.
    package struct Run: Sendable {
        package var processID: Int32
        package var started: Timestamp
        package var ended: Timestamp
        package var status: EndStatus
        package var errors: ErrorTail
        /// Processes of the control group that were killed for memory, ever, at the start and now; nil where it cannot be
        /// known.
        package var killsBefore: UInt64?
        package var killsAfter: UInt64?
    }

    private static let forwarded = [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT]

    private let signals: Int32
    private let child: pid_t
    private var relay: ErrorRelay
    private var status: EndStatus?

    /// Starts the command, which must not be empty, and returns after its end. Signals that came for the program stay
    /// blocked afterwards: what is told of the run is told to its end.
    package static func run(
        _ command: [String], environment: [String: String], kills: MemoryKills
    ) throws(SupervisionError) -> Run {
        var blocked = sigset_t()
        sigemptyset(&blocked)
        for signal in forwarded + [SIGCHLD] { sigaddset(&blocked, signal) }
        var mask = sigset_t()
        sigprocmask(SIG_BLOCK, &blocked, &mask)
        // Ignored, it would hide how the program ended.
        signal(SIGCHLD, SIG_DFL)
        let signals = signalfd(-1, &blocked, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        var ends: [Int32] = [-1, -1]
        guard signals >= 0, fcntl(2, F_GETFD) < 0 || vaka_pipe(&ends) == 0 else {
            throw SupervisionError(
                description: "cannot supervise: \(String(cString: strerror(errno)))", exitStatus: 126)
        }
        let killsBefore = kills.count
        let started = Timestamp.now
        let child = try ChildLaunch(
            command: command, environment: environment, errors: ends[1] < 0 ? nil : ends[1], mask: mask
        ).start()
        if ends[1] >= 0 { close(ends[1]) }
        signal(SIGPIPE, SIG_IGN)
        var supervisor = Supervisor(signals: signals, child: child, relay: ErrorRelay(reading: ends[0]))
        let status = supervisor.watch()
        return Run(
            processID: child, started: started, ended: .now, status: status, errors: supervisor.relay.tail,
            killsBefore: killsBefore, killsAfter: kills.count)
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
            if info.ssi_signo == UInt32(SIGCHLD) { reap() } else { forward(info) }
        }
    }

    /// A terminal sends its signals to the whole process group: the program has those already.
    private func forward(_ info: signalfd_siginfo) {
        let isOfTerminal = info.ssi_code == Int32(0x80)
        guard status == nil, !isOfTerminal || getpgid(child) != getpgrp() else { return }
        kill(child, Int32(bitPattern: info.ssi_signo))
    }

    private mutating func reap() {
        var waited: Int32 = 0
        while true {
            let ended = waitpid(-1, &waited, WNOHANG)
            guard ended > 0 else { return }
            if ended == child { status = EndStatus(waitStatus: waited) }
        }
    }
}
