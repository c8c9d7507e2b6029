// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// A child of the doctor's, started and waited for.
struct ChildRun {
    private static let longest: Duration = .seconds(30)
    private static let mostAnswers = 4096

    /// The signal that ended it; nil where it exited.
    let signal: Int32?
    let exitStatus: Int32?
    /// Whether it had to be ended, as it took too long.
    let wasEnded: Bool
    /// What it wrote for its parent.
    let answers: [UInt8]
    /// When it was gone, by the monotonic clock, in nanoseconds.
    let ended: UInt64

    /// `errors`: the file for its standard error. Nil where it cannot be started.
    init?(_ executable: String, environment: [String: String], errors: String) {
        var ends: [Int32] = [-1, -1]
        guard vaka_pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        guard let child = Self.start(executable, environment, errors: errors, answers: ends[1]) else {
            close(ends[1])
            return nil
        }
        close(ends[1])
        let (status, wasEnded) = Self.wait(for: child)
        ended = Self.now()
        self.wasEnded = wasEnded
        let signal = status & 0x7f
        self.signal = signal == 0 ? nil : signal
        exitStatus = signal == 0 ? status >> 8 & 0xff : nil
        var buffer = [UInt8](repeating: 0, count: Self.mostAnswers)
        let got = read(ends[0], &buffer, buffer.count)
        answers = Array(buffer.prefix(max(0, got)))
    }

    /// From its last word before the crash to its end, in nanoseconds; nil where it said none.
    var crashTime: UInt64? {
        guard answers.count == 8 else { return nil }
        let moment = answers.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        return ended > moment ? ended - moment : nil
    }

    private static func start(
        _ executable: String, _ environment: [String: String], errors: String, answers: Int32
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_adddup2(&actions, answers, DoctorChild.answers)
        let argv: [UnsafeMutablePointer<CChar>?] = [strdup("vaka"), strdup("doctor"), nil]
        let envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var child: pid_t = 0
        return posix_spawn(&child, executable, &actions, nil, argv, envp) == 0 ? child : nil
    }

    /// The child is waited for by its parent's sleep, so that the time of its end is right.
    private static func wait(for child: pid_t) -> (status: Int32, wasEnded: Bool) {
        let deadline = ContinuousClock.now + longest
        var status: Int32 = 0
        var pause: useconds_t = 50
        while waitpid(child, &status, WNOHANG) == 0 {
            if ContinuousClock.now >= deadline {
                kill(child, SIGKILL)
                waitpid(child, &status, 0)
                return (status, true)
            }
            usleep(pause)
            pause = min(pause + 50, 1000)
        }
        return (status, false)
    }

    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
