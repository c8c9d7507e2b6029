// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What a server finds around it: limits, and file systems that only it sees.
package struct ServerSurroundings: Sendable {
    /// Of the shell, before the server takes its place; `$DATA` is the data folder.
    private let script: String?
    private let ownMounts: Bool

    package static let usual = ServerSurroundings(script: nil, ownMounts: false)

    package static func limited(_ script: String) -> ServerSurroundings {
        ServerSurroundings(script: script, ownMounts: false)
    }

    /// What it mounts is gone when it ends.
    package static func mounting(_ script: String) -> ServerSurroundings {
        ServerSurroundings(script: script, ownMounts: true)
    }

    /// Runs a shell's command among the file systems that the server sees.
    package func run(_ script: String, beside process: ChildProcess) throws -> ChildProcess.Result {
        try ChildProcess.run(
            "nsenter", ["-t", "\(process.processID)", "-m"] + (Self.isRoot ? [] : ["-U"]) + ["sh", "-c", script])
    }

    func command(_ command: [String], data: String) -> [String] {
        guard let script else { return command }
        let shell = ["sh", "-c", "DATA=$1; shift; \(script) && exec \"$@\"", "sh", data] + command
        guard ownMounts else { return shell }
        return ["unshare", "--mount"] + (Self.isRoot ? [] : ["--user", "--map-root-user"]) + shell
    }

    /// Where this process finds the server's root folder.
    func root(of process: ChildProcess) -> String { ownMounts ? "/proc/\(process.processID)/root" : "" }

    private static var isRoot: Bool { geteuid() == 0 }
}
