// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import CrashRecord
import Delivery
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// How a run ended, by its run file and what the machine tells: proc and control groups are folders made for it.
@Suite struct RunEndFinderTests {
    private let folder: TemporaryFolder
    private let boot = [UInt8](repeating: 0xab, count: 16)

    init() throws {
        folder = try TemporaryFolder()
        try write("proc/sys/kernel/random/boot_id", "abababab-abab-abab-abab-abababababab\n")
        try write("proc/self/ns/pid", "")
        try write("group/app/memory.events.local", "oom 1\noom_kill 1\n")
    }

    private func write(_ name: String, _ text: String) throws {
        let file = URL(filePath: folder.path + "/" + name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func inode(_ name: String) -> String {
        var status = stat()
        return stat(folder.path + "/" + name, &status) == 0 ? String(status.st_ino) : ""
    }

    /// A run of this machine and boot, in the group `app`, whose signals were watched.
    private func sample() -> SampleRunFile {
        var file = SampleRunFile()
        file.bootID = boot
        file.add(VAKA_CONTEXT_RUN, "watched", "15 ")
        file.add(VAKA_CONTEXT_RUN, "pid_namespace", inode("proc/self/ns/pid"))
        file.add(VAKA_CONTEXT_RUN, "start_ticks", "777")
        file.add(VAKA_CONTEXT_GROUP, "version", "2")
        file.add(VAKA_CONTEXT_GROUP, "kills_file", folder.path + "/group/app/memory.events.local")
        file.add(VAKA_CONTEXT_GROUP, "inode", inode("group/app"))
        return file
    }

    private func end(_ file: SampleRunFile) throws -> RunEnd? {
        RunEndFinder(groupRoot: folder.path + "/group", proc: folder.path + "/proc")
            .end(of: try RunFile(bytes: file.bytes))
    }

    @Test func withoutAWord() throws {
        let end = try #require(try end(sample()))
        #expect(end.cause == .killed && end.certainty == .likely && end.isAbnormal)
        #expect(end.killsBefore == 1 && end.killsNow == 1)
        #expect(end.remarks == ["Its control group used 95 % of its memory limit."])
    }

    /// A signal that nobody saw may have ended it: that is no report.
    @Test func whereTheSignalsAreNotWatched() throws {
        var file = sample()
        file.context.removeAll { $0.1 == "watched" }
        let unknown = try #require(try end(file))
        #expect(unknown.cause == .unknown && !unknown.isAbnormal && unknown.sessionStatus == .abnormal)
        try write("group/app/memory.events.local", "oom_kill 2\n")
        let memory = try #require(try end(file))
        #expect(memory.cause == .outOfMemory && memory.certainty == .possible && memory.isAbnormal)
    }

    @Test func forMemory() throws {
        try write("group/app/memory.events.local", "oom 4\noom_kill 3\n")
        let end = try #require(try end(sample()))
        #expect(end.cause == .outOfMemory && end.certainty == .likely)
        #expect(end.killsBefore == 1 && end.killsNow == 3)
        #expect(end.sessionCause == "out_of_memory" && end.sessionStatus == .abnormal)
    }

    /// The same name, another group: its counts say nothing of the run.
    @Test func anotherGroupOfThatName() throws {
        try write("group/app/memory.events.local", "oom_kill 3\n")
        var file = sample()
        file.context = file.context.map { $0.1 == "inode" ? ($0.0, $0.1, "1") : $0 }
        let other = try #require(try end(file))
        #expect(other.cause == .killed && other.killsNow == nil)
        var outside = sample()
        outside.context = outside.context.map { $0.1 == "kills_file" ? ($0.0, $0.1, "/etc/passwd") : $0 }
        #expect(try end(outside)?.killsNow == nil)
        var above = sample()
        above.context = above.context.map {
            $0.1 == "kills_file" ? ($0.0, $0.1, folder.path + "/group/../group/app/memory.events.local") : $0
        }
        #expect(try end(above)?.killsNow == nil)
    }

    @Test func theMachineWentDown() throws {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, 255)
        var file = sample()
        file.bootID = [UInt8](repeating: 0xcd, count: 16)
        #expect(try end(file)?.cause == .unknown, "it may have been another machine")
        file.add(VAKA_CONTEXT_HOST, "name", String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
        let end = try #require(try end(file))
        #expect(end.cause == .machineDown && end.certainty == .likely && end.killsNow == nil)
        // A boot that is not known is no other boot.
        file.bootID = [UInt8](repeating: 0, count: 16)
        #expect(try self.end(file)?.cause == .killed)
    }

    @Test func theProcessIsAnotherProgramByNow() throws {
        let fields = (4...21).map { "\($0)" }.joined(separator: " ")
        try write("proc/42/stat", "42 (a ) b) S \(fields) 777 1 2\n")
        #expect(try end(sample()) == nil)
        try write("proc/42/stat", "42 (a ) b) S \(fields) 778 1 2\n")
        #expect(try end(sample())?.cause == .killed, "the id was given out again")
        try write("proc/42/stat", "42 (a ) b) Z \(fields) 777 1 2\n")
        #expect(try end(sample())?.cause == .killed)
        // Of another namespace that number is another process.
        try write("proc/42/stat", "42 (a ) b) S \(fields) 777 1 2\n")
        var elsewhere = sample()
        elsewhere.context = elsewhere.context.map { $0.1 == "pid_namespace" ? ($0.0, $0.1, "1") : $0 }
        #expect(try end(elsewhere)?.cause == .killed)
    }

    @Test func theFirstProcessOfANamespace() throws {
        var file = sample()
        file.pid = 1
        #expect(try end(file)?.remarks.contains { $0.contains("SIGTERM") } == true)
    }

    @Test func whatTheRunSaidItself() throws {
        var file = sample()
        file.state = VAKA_RUN_ASKED
        file.askedSignal = SIGTERM
        let asked = try #require(try end(file))
        #expect(asked.cause == .asked && asked.signal == SIGTERM && !asked.isAbnormal)
        #expect(asked.time == Timestamp(nanoseconds: SampleRunFile.started + 200_000_000_000))
        for (state, cause) in [
            (VAKA_RUN_ENDED, RunEnd.Cause.exited), (VAKA_RUN_CRASHING, .crashed), (VAKA_RUN_CRASHED, .crashed),
            (vaka_run_state(rawValue: 99), .unknown),
        ] {
            file.state = state
            #expect(try end(file)?.cause == cause)
        }
    }
}
