// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// The core of a program that crashes: the kernel's own, or gdb's where this machine's cores go to a handler.
package enum CoreOfCrash {
    /// Whether a program with its own folder leaves its core there.
    package static let isKernels: Bool = {
        let pattern = (try? String(contentsOf: URL(filePath: "/proc/sys/kernel/core_pattern"), encoding: .utf8)) ?? "|"
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        return !pattern.hasPrefix("|") && !pattern.hasPrefix("/") && limit.rlim_max == rlim_t.max
    }()

    /// Runs the program to its end in `folder`; the core's path.
    package static func make(
        _ executable: String, _ arguments: [String] = [], environment: [String: String?] = [:],
        in folder: TemporaryFolder
    ) throws -> String {
        let variables = environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { own, _ in own }
        guard isKernels else { return try madeByDebugger(executable, arguments, variables, folder) }
        let before = Set(folder.entries())
        let result = try ChildProcess.run(
            "/bin/sh", ["-c", "ulimit -c unlimited; exec \"$0\" \"$@\"", executable] + arguments,
            environment: variables, directory: folder.path, seconds: 120)
        guard let core = folder.entries().first(where: { !before.contains($0) && $0.hasPrefix("core") }) else {
            throw ChildProcess.Failure(description: "\(executable) left no core: \(result.status)\n\(result.errors)")
        }
        return folder.path + "/" + core
    }

    private static func madeByDebugger(
        _ executable: String, _ arguments: [String], _ environment: [String: String?], _ folder: TemporaryFolder
    ) throws -> String {
        let core = folder.path + "/core"
        let result = try ChildProcess.run(
            "gdb",
            [
                "-batch", "-nx", "-iex", "set debuginfod enabled off", "-ex", "run", "-ex",
                "generate-core-file \(core)",
                "--args", executable,
            ] + arguments, environment: environment, seconds: 120)
        guard FileManager.default.fileExists(atPath: core) else {
            throw ChildProcess.Failure(description: "gdb wrote no core of \(executable):\n\(result.errors)")
        }
        return core
    }
}
