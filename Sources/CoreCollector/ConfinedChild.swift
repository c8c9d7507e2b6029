// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// Runs work that may die or never end in a child of this process, without rights and with bounds. The child shares
/// nothing with its parent but open files. For processes with one thread.
enum ConfinedChild {
    enum End: Equatable {
        case exited(Int32)
        case signalled(Int32)
        case timeLimit
        /// There could be no child.
        case failed(Int32)
    }

    private static let memoryBytes: rlim_t = 512 << 20
    private static let fileBytes: rlim_t = 256 << 20
    private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGQUIT]

    /// What `work` returns is the exit status.
    static func run(atMost time: Duration, _ work: () -> Int32) -> End {
        let child = vaka_fork()
        if child == 0 {
            confine(time)
            _exit(work())
        }
        guard child > 0 else { return .failed(errno) }
        return wait(for: child, until: .now + time)
    }

    private static func confine(_ time: Duration) {
        // A runtime's own handler would take seconds to tell what nobody reads.
        for signal in faults { Glibc.signal(signal, SIG_DFL) }
        limit(RLIMIT_DATA, memoryBytes)
        limit(RLIMIT_FSIZE, fileBytes)
        limit(RLIMIT_CPU, rlim_t(time / .seconds(1)) + 1)
        // 1 and not 0: with a pipe as core_pattern, that is what keeps the kernel from collecting a core of this process.
        limit(RLIMIT_CORE, 1)
        _ = vaka_give_up_rights()
    }

    private static func limit(_ resource: __rlimit_resource, _ value: rlim_t) {
        var limit = rlimit()
        let resource = __rlimit_resource_t(resource.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = min(value, limit.rlim_max)
        limit.rlim_max = limit.rlim_cur
        setrlimit(resource, &limit)
    }

    private static func wait(for child: pid_t, until deadline: ContinuousClock.Instant) -> End {
        var status: Int32 = 0
        var pause: useconds_t = 200
        while true {
            let waited = waitpid(child, &status, WNOHANG)
            if waited == child { break }
            if waited < 0, errno != EINTR { return .failed(errno) }
            if ContinuousClock.now >= deadline {
                kill(child, SIGKILL)
                waitpid(child, &status, 0)
                return .timeLimit
            }
            usleep(pause)
            pause = min(pause * 2, 5000)
        }
        let signal = status & 0x7f
        return signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal)
    }
}
