// SPDX-License-Identifier: Apache-2.0
import CLinux
import CVakaRecord
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
    /// What it used, as records hold it.
    let figures: vaka_figures
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
        figures = Self.figures(process, threads: notes.threads.count + notes.threadsLeftOut)
        osRelease = Self.osRelease(root: process.openRoot())
        senderName = CoreReason.sender(notes.signalInfo).flatMap { process.name(ofOther: $0.pid) }
    }

    private static func figures(_ process: HostProcess, threads: Int) -> vaka_figures {
        var figures = vaka_figures()
        figures.magic = VAKA_FIGURES_MAGIC
        figures.generation = 1
        figures.realtime_ns = CoreFacts.now(CLOCK_REALTIME)
        figures.boottime_ns = CoreFacts.now(CLOCK_BOOTTIME)
        figures.resident_bytes = process.bytes("VmRSS") ?? VAKA_FIGURE_UNKNOWN
        figures.peak_resident_bytes = process.bytes("VmHWM") ?? VAKA_FIGURE_UNKNOWN
        figures.swapped_bytes = process.bytes("VmSwap") ?? VAKA_FIGURE_UNKNOWN
        figures.threads = UInt64(threads)
        figures.group_usage_bytes = VAKA_FIGURE_UNKNOWN
        figures.group_limit_bytes = VAKA_FIGURE_UNKNOWN
        figures.group_kills = VAKA_FIGURE_UNKNOWN
        figures.crc = RecordFileWriter.checksum(RecordFileWriter.bytes(figures).dropLast(4))
        return figures
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
