// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
package import CrashRecord
import Glibc
import VakaModel

/// Finds out how a run ended: by its run file, and by what the machine tells now.
package struct RunEndFinder: Sendable {
    private let groupRoot: String
    private let proc: String

    /// `proc` is where the proc file system is mounted.
    package init(groupRoot: String = KillCount.root, proc: String = "/proc") {
        self.groupRoot = groupRoot
        self.proc = proc
    }

    /// Nil where the process lives on: it called exec and is another program by now. The run's files must be unlocked.
    package func end(of run: RunFile) -> RunEnd? {
        switch run.state {
        // Of a run that was handed over, the other copy of the library tells.
        case VAKA_RUN_ENDED, VAKA_RUN_HANDED_OVER: RunEnd(.exited, .certain)
        case VAKA_RUN_ASKED:
            RunEnd(
                .asked, .certain, signal: run.header.asked_signal,
                time: Timestamp(nanoseconds: run.header.asked_realtime_ns))
        case VAKA_RUN_CRASHING, VAKA_RUN_CRASHED: RunEnd(.crashed, .certain)
        case VAKA_RUN_RUNNING: endWithoutAWord(run)
        default: RunEnd(.unknown, .possible)
        }
    }

    private func endWithoutAWord(_ run: RunFile) -> RunEnd? {
        // Where our handlers did not see the signals that ask for the end, such a signal may have ended it.
        let isWatched = run.context.run["watched"] != nil
        guard isSameBoot(run) else {
            let isSameMachine = run.context.hostName != nil && run.context.hostName == Self.hostName
            return RunEnd(isWatched && isSameMachine ? .machineDown : .unknown, .likely)
        }
        guard !livesOn(run) else { return nil }
        var end = RunEnd(isWatched ? .killed : .unknown, isWatched ? .likely : .possible)
        end.killsBefore = run.figures?.groupKills
        end.killsNow = killsNow(run)
        if let before = end.killsBefore, let now = end.killsNow, now > before { end.cause = .outOfMemory }
        if end.cause == .killed { end.remarks = remarks(run) }
        return end
    }

    /// What makes a kill plausible.
    private func remarks(_ run: RunFile) -> [String] {
        var remarks: [String] = []
        if let usage = run.figures?.groupUsage, let limit = run.figures?.groupLimit, limit > 0, usage > limit / 10 * 9 {
            remarks.append("Its control group used \(Int(Double(usage) / Double(limit) * 100)) % of its memory limit.")
        }
        if run.pid == 1 {
            remarks.append(
                "As the first process of its namespace it gets no SIGTERM unless it handles it: a container's stop then "
                    + "kills it.")
        }
        return remarks
    }

    /// True where one of the two is unknown.
    private func isSameBoot(_ run: RunFile) -> Bool {
        let boot = text("sys/kernel/random/boot_id")?.filter(\.isHexDigit) ?? ""
        return boot.count != 32 || run.bootID.allSatisfy { $0 == "0" } || run.bootID == boot
    }

    /// exec closes the files, and with them the lock, but leaves the process what it was.
    private func livesOn(_ run: RunFile) -> Bool {
        var namespace = stat()
        guard let ticks = run.context.run["start_ticks"], stat("\(proc)/self/ns/pid", &namespace) == 0,
            run.context.run["pid_namespace"] == String(namespace.st_ino), let status = text("\(run.pid)/stat")
        else { return false }
        // The name in parentheses may hold anything; the start is the 20th field after it.
        let fields = status[(status.lastIndex(of: ")") ?? status.startIndex)...].split(separator: " ")
        return fields.count > 20 && fields[20] == ticks && fields[1] != "Z" && fields[1] != "X"
    }

    /// Nil where the run's control group is gone, or another one has its name.
    private func killsNow(_ run: RunFile) -> UInt64? {
        guard let file = run.context.group["kills_file"], file.hasPrefix(groupRoot + "/"), !file.contains("/../"),
            let slash = file.lastIndex(of: "/")
        else { return nil }
        var folder = stat()
        guard stat(String(file[..<slash]), &folder) == 0, run.context.group["inode"] == String(folder.st_ino) else {
            return nil
        }
        return KillCount.read(file)
    }

    private func text(_ path: String) -> String? {
        guard let bytes = try? BoundedFile.read("\(proc)/\(path)", limit: 4096) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
    }

    private static var hostName: String? {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
