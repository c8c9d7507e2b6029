// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// How the program ended.
package enum EndStatus: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)

    /// Of waitpid's status of a process that ended.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .exited((waitStatus >> 8) & 0xff) : .signalled(signal)
    }

    /// Ends this process the same way: with the exit status, or by the signal and without a core of its own. The first
    /// process of a namespace does not get such a signal and exits with 128 + its number, as shells say it.
    package func end() -> Never {
        switch self {
        case .exited(let code): _exit(code)
        case .signalled(let signal):
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            setrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &none)
            Glibc.signal(signal, SIG_DFL)
            var mask = sigset_t()
            sigemptyset(&mask)
            sigaddset(&mask, signal)
            sigprocmask(SIG_UNBLOCK, &mask, nil)
            kill(getpid(), signal)
            _exit(128 + signal)
        }
    }
}
