// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import Glibc

/// A shell watches this process, not the program: when the program is stopped from the terminal, so is this process, and
/// both go on together.
enum JobControl {
    /// The program's stop came before that of its group was over: it goes on by itself.
    private static let settling: useconds_t = 20_000

    /// Returns when the shell lets this process go on. Does nothing after another stop (`kill -STOP`, a debugger), or
    /// where there is no shell to let it go on.
    static func follow(_ child: pid_t, stoppedBy signal: Int32) {
        guard [SIGTSTP, SIGTTIN, SIGTTOU].contains(signal), getpid() != 1, getpgid(child) == getpgrp() else { return }
        usleep(settling)
        guard isStopped(child) else { return }
        var stop = sigset_t()
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        // In a process group without a shell the kernel discards it.
        kill(getpid(), SIGTSTP)
        sigprocmask(SIG_UNBLOCK, &stop, nil)
        sigprocmask(SIG_BLOCK, &stop, nil)
        kill(child, SIGCONT)
    }

    private static func isStopped(_ child: pid_t) -> Bool {
        guard let bytes = try? BoundedFile.read("/proc/\(child)/stat", limit: 4096) else { return true }
        let text = String(decoding: bytes, as: UTF8.self)
        return text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ").dropFirst().first == "T"
    }
}
