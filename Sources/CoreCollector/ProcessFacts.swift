// SPDX-License-Identifier: Apache-2.0
import CLinux
import CoreFile
import CrashRecord
import Glibc

/// What this host told of the crashed process while it was still there: it is gone once its core has been read.
struct ProcessFacts {
    private static let osReleaseBytes = 4096

    /// By the ids that the process sees.
    let threadNames: [Int: String]
    let executable: String?
    let controlGroups: String
    let release: String?
    let environment: String?
    /// In nanoseconds.
    let startedSinceBoot: UInt64?
    /// The file of that name of the folder that is its root.
    let osRelease: String
    /// Of the process that sent the signal.
    let senderName: String?

    init(_ process: HostProcess, notes: CoreNotes) {
        threadNames = process.threadNames()
        executable = process.executable
        controlGroups = process.controlGroups
        release = process.variable("VAKA_RELEASE")
        environment = process.variable("VAKA_ENVIRONMENT")
        startedSinceBoot = process.startedSinceBoot
        osRelease = Self.osRelease(root: process.openRoot())
        senderName = CoreReason.sender(notes.signalInfo).flatMap { process.name(ofOther: $0.pid) }
    }

    private static func osRelease(root: Int32) -> String {
        guard root >= 0 else { return "" }
        defer { close(root) }
        for path in ["/etc/os-release", "/usr/lib/os-release"] {
            let file = vaka_open_in_root(root, path)
            guard file >= 0 else { continue }
            defer { close(file) }
            var status = stat()
            guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            return String(decoding: ElfHeaders.bytes(file, 0, osReleaseBytes), as: UTF8.self)
        }
        return ""
    }
}
