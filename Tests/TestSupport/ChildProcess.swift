// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
package import Glibc

/// A real process of a test: started with posix_spawn, its output kept in files so that no pipe can fill.
package final class ChildProcess: @unchecked Sendable {  // immutable after init; waiting is serialised by the kernel
    /// How a process ended.
    package enum Status: Equatable, Sendable, CustomStringConvertible {
        case exited(Int32)
        case signalled(Int32)

        package var description: String {
            switch self {
            case .exited(let code): "exit status \(code)"
            case .signalled(let signal): "signal \(signal)"
            }
        }
    }

    package struct Failure: Error, CustomStringConvertible {
        package var description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// What a finished process left.
    package struct Result: Sendable {
        package var status: Status
        package var output: String
        package var errors: String
        package var outputData: Data
    }

    package let processID: pid_t
    private let folder: TemporaryFolder

    /// Variables are added to (or, with nil, removed from) the test's own environment.
    package init(
        _ executable: String, _ arguments: [String] = [], environment: [String: String?] = [:], input: Data? = nil,
        directory: String? = nil
    ) throws {
        folder = try TemporaryFolder()
        try (input ?? Data()).write(to: URL(filePath: folder.path + "/stdin"))

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, folder.path + "/stdin", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, folder.path + "/stdout", O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, folder.path + "/stderr", O_WRONLY | O_CREAT, 0o600)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let variables = ProcessInfo.processInfo.environment
            .merging(environment.compactMapValues { $0 }) { _, new in new }
            .filter { entry in environment[entry.key].map { $0 != nil } ?? true }
        let command = (directory.map { ["/usr/bin/env", "-C", $0] } ?? []) + [executable] + arguments
        let argv: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        let envp: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }

        var child: pid_t = 0
        let error = posix_spawnp(&child, command[0], &actions, &attributes, argv, envp)
        guard error == 0 else {
            throw Failure(description: "cannot start \(executable): \(String(cString: strerror(error)))")
        }
        processID = child
    }

    package func kill(_ signal: Int32) {
        _ = Glibc.kill(processID, signal)
    }

    /// What it has written to standard output so far.
    package var outputSoFar: String { Self.text(Self.contents(folder.path + "/stdout")) }
    package var errorsSoFar: String { Self.text(Self.contents(folder.path + "/stderr")) }

    /// Waits until standard output holds `text`; throws when the process ends before or the time is over.
    package func waitForOutput(_ text: String, seconds: Double = 30) throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while !outputSoFar.contains(text) {
            guard ContinuousClock.now < deadline, Glibc.kill(processID, 0) == 0, !hasEnded else {
                throw Failure(description: "no \"\(text)\" on standard output, but: \(outputSoFar)\n\(errorsSoFar)")
            }
            usleep(5000)
        }
    }

    package var hasEnded: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(processID), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo != 0
    }

    /// Waits for the end; a process that outlives `seconds` is killed and the test fails.
    package func wait(seconds: Double = 60) throws -> Result {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var status: Int32 = 0
        var pause: useconds_t = 500
        while true {
            let waited = waitpid(processID, &status, WNOHANG)
            if waited == processID { break }
            if waited < 0 { throw Failure(description: "waitpid: \(String(cString: strerror(errno)))") }
            if ContinuousClock.now > deadline {
                _ = Glibc.kill(processID, SIGKILL)
                waitpid(processID, &status, 0)
                throw Failure(description: "still running after \(seconds) s: \(outputSoFar)\n\(errorsSoFar)")
            }
            usleep(pause)
            pause = min(pause * 2, 10_000)
        }
        let signal = status & 0x7f
        let output = Self.contents(folder.path + "/stdout")
        return Result(
            status: signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal),
            output: Self.text(output), errors: Self.text(Self.contents(folder.path + "/stderr")), outputData: output)
    }

    /// Starts and waits.
    package static func run(
        _ executable: String, _ arguments: [String] = [], environment: [String: String?] = [:], input: Data? = nil,
        directory: String? = nil, seconds: Double = 60
    ) throws -> Result {
        try ChildProcess(
            executable, arguments, environment: environment, input: input, directory: directory
        ).wait(seconds: seconds)
    }

    private static func contents(_ path: String) -> Data {
        (try? Data(contentsOf: URL(filePath: path))) ?? Data()
    }

    private static func text(_ data: Data) -> String {
        String(decoding: data, as: UTF8.self)
    }
}
