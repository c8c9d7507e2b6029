// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport

/// A control group (cgroup v1) with a limit of memory, where the machine lets one be made. Removed with the value.
final class MemoryGroup {
    private static let root = "/sys/fs/cgroup/memory"
    static var canBeMade: Bool { access(root + "/memory.limit_in_bytes", W_OK) == 0 }

    let path: String

    init(limit: Int) throws {
        path = "\(Self.root)/vaka-test-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        guard mkdir(path, 0o755) == 0 else { throw ChildProcess.Failure(description: "cannot make \(path)") }
        try Data("\(limit)".utf8).write(to: URL(filePath: path + "/memory.limit_in_bytes"))
    }

    deinit { rmdir(path) }

    /// Runs a program in the group.
    func start(_ executable: String, _ arguments: [String], environment: [String: String?]) throws -> ChildProcess {
        try ChildProcess(
            "/bin/sh", ["-c", "echo $$ > \(path)/cgroup.procs; exec \"$0\" \"$@\"", executable] + arguments,
            environment: environment)
    }

    /// A program that uses memory without end, slowly enough to say what it does.
    static func hog(in folder: TemporaryFolder) throws -> String {
        try CompiledProgram.build(
            "hog",
            source: """
                #include <stdio.h>
                #include <stdlib.h>
                #include <string.h>
                int main(void) { fputs("loading\\n", stderr); for (;;) memset(malloc(1 << 20), 1, 1 << 20); }
                """, extension: "c", compiler: "gcc", flags: ["-O0", "-fno-builtin"], in: folder)
    }
}
