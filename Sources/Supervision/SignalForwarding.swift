// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// The signals that are the program's, though its parent gets them.
struct SignalForwarding {
    /// Those that cannot be caught, that tell of this process itself, or that libc keeps for itself.
    private static let own: Set<Int32> = [
        SIGKILL, SIGSTOP, SIGCHLD, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGPIPE, SIGTTIN, SIGTTOU,
        32, 33,
    ]

    /// The mask that was there before, for the program.
    private(set) var maskBefore = sigset_t()
    private var blocked = sigset_t()

    /// Blocks them all, and SIGCHLD, for good.
    init() {
        sigemptyset(&blocked)
        for signal in Int32(1)...64 where !Self.own.contains(signal) { sigaddset(&blocked, signal) }
        sigaddset(&blocked, SIGCHLD)
        sigprocmask(SIG_BLOCK, &blocked, &maskBefore)
        // Ignored, it would hide how the program ended.
        signal(SIGCHLD, SIG_DFL)
    }

    func descriptor() throws(SupervisionError) -> Int32 {
        var blocked = blocked
        let descriptor = signalfd(-1, &blocked, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        guard descriptor >= 0 else {
            throw SupervisionError(
                description: "cannot supervise: \(String(cString: strerror(errno)))", exitStatus: 126)
        }
        return descriptor
    }

    /// A terminal sends its signals to the whole process group: the program has those already.
    static func forward(_ info: signalfd_siginfo, to child: pid_t) {
        let isOfTerminal = info.ssi_code == Int32(0x80)
        guard !isOfTerminal || getpgid(child) != getpgrp() else { return }
        let signal = Int32(bitPattern: info.ssi_signo)
        if info.ssi_code == -1 {
            sigqueue(child, signal, sigval(sival_ptr: UnsafeMutableRawPointer(bitPattern: UInt(info.ssi_ptr))))
        } else {
            kill(child, signal)
        }
    }
}
