// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import CrashRecord
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Ends without a crash: what the run file says of them, and that the program ends as it would have.
@Suite struct EndTests {
    private let storage: TemporaryFolder

    init() throws { storage = try TemporaryFolder() }

    private func start(_ way: String, program: String? = nil) throws -> ChildProcess {
        try ChildProcess(try program ?? TestPrograms.ends(), [storage.path, way])
    }

    private func run(_ way: String, program: String? = nil) throws -> ChildProcess.Result {
        try start(way, program: program).wait()
    }

    /// Starts, waits until it is ready, and sends the signal.
    private func run(_ way: String, _ signal: Int32, program: String? = nil) throws -> ChildProcess.Result {
        let process = try start(way, program: program)
        try process.waitForOutput("ready")
        process.kill(signal)
        return try process.wait()
    }

    /// The only run file.
    private func runFile() throws -> RunFile {
        let names = storage.entries("runs").filter { $0.hasSuffix(".vakarun") }
        let name = try #require(names.count == 1 ? names.first : nil, "\(names)")
        return try RunFile(contentsOf: storage.path + "/runs/" + name)
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE]) func aSignalThatAsks(signal: Int32) throws {
        let before = Timestamp.now
        #expect(try run("installed", signal).status == .signalled(signal))
        let file = try runFile()
        #expect(file.state == VAKA_RUN_ASKED && file.header.asked_signal == signal)
        #expect(file.header.asked_sender_pid == getpid())
        let asked = Timestamp(nanoseconds: file.header.asked_realtime_ns)
        #expect(asked.milliseconds >= before.milliseconds - 1 && asked <= Timestamp.now)
        #expect(storage.entries("crashes").isEmpty)
    }

    @Test func aKillLeavesTheRunAsItWas() throws {
        #expect(try run("installed", SIGKILL).status == .signalled(SIGKILL))
        let file = try runFile()
        #expect(file.state == VAKA_RUN_RUNNING && file.context.run["watched"] == "15 2 1 3 13 ")
    }

    @Test func withoutASharedLibraryToo() throws {
        let program = try TestPrograms.staticEnds()
        #expect(try run("installed", SIGTERM, program: program).status == .signalled(SIGTERM))
        #expect(try runFile().state == VAKA_RUN_ASKED)
        #expect(try run("at-once", program: program).status == .exited(6))
        #expect(try run("quick", program: program).status == .exited(5))
        #expect(storage.entries("runs").count == 1, "the first run's file")
    }

    @Test func theFlagLeavesTheSignalsAlone() throws {
        #expect(try run("flagged", SIGTERM).status == .signalled(SIGTERM))
        let file = try runFile()
        #expect(file.state == VAKA_RUN_RUNNING && file.context.run["watched"] == nil && file.figures == nil)
    }

    @Test func uninstallingGivesThemBack() throws {
        #expect(try run("uninstalled").output == "default\n")
    }

    /// A program that does not know of us keeps its signals: some runtimes take over only those that nobody handles.
    @Test(arguments: [nil, "1"]) func aPreloadedProgramsSignals(wanted: String?) throws {
        let process = try ChildProcess(
            "/bin/sleep", ["60"],
            environment: [
                "LD_PRELOAD": try CaptureLibrary.shared(), "VAKA_STORAGE": storage.path, "VAKA_END_SIGNALS": wanted,
            ])
        try eventually { storage.entries("runs").contains { $0.hasSuffix(".vakarun") } ? true : nil }
        let caught = try eventually { () -> UInt64? in
            let status = try String(contentsOfFile: "/proc/\(process.processID)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
            let mask = line.flatMap { UInt64($0.dropFirst(8), radix: 16) } ?? 0
            // The seven are there, and what comes after them.
            return mask & (1 << (UInt64(SIGSYS) - 1)) != 0 ? mask : nil
        }
        try eventually { try runFile().figures }
        process.kill(SIGTERM)
        #expect(try process.wait().status == .signalled(SIGTERM))
        #expect(try runFile().state == (wanted == nil ? VAKA_RUN_RUNNING : VAKA_RUN_ASKED))
        #expect(wanted != nil || caught & (1 << (UInt64(SIGTERM) - 1)) == 0)
    }

    @Test(arguments: ["own-before", "own-later"]) func aHandlerOfTheProgramThatLeaves(way: String) throws {
        #expect(try run(way, SIGTERM).status == .exited(7))
        #expect(storage.entries("runs").isEmpty, "it ended by itself")
    }

    @Test(arguments: [("quick", Int32(5)), ("at-once", 6)]) func leavingWithoutDestructors(way: String, status: Int32)
        throws
    {
        #expect(try run(way).status == .exited(status))
        #expect(storage.entries("runs").isEmpty)
    }

    @Test func whatIsIgnoredStaysIgnored() throws {
        let result = try run("ignoring")
        #expect(result.status == .exited(0) && result.output == "lives\n")
    }

    @Test(arguments: ["sigwait", "signalfd"]) func whoTakesTheSignalStillGetsIt(way: String) throws {
        let result = try run(way, SIGTERM)
        #expect(result.status == .exited(0) && result.output == "ready\ntook \(SIGTERM)\n")
        #expect(storage.entries("runs").isEmpty)
    }

    @Test func aForkedChildIsNotTheRun() throws {
        let result = try run("child", SIGKILL)
        #expect(result.output == "child by \(SIGTERM)\nchild with 4\nready\n")
        #expect(try runFile().state == VAKA_RUN_RUNNING)
    }

    @Test func aProgramThatIsRunGetsTheDefaultActions() throws {
        let output = try run("runs-another").output
        let mask = try #require(UInt64(output.split(whereSeparator: \.isWhitespace).last ?? "", radix: 16))
        for signal in [SIGTERM, SIGPIPE, SIGSEGV] { #expect(mask & (1 << (UInt64(signal) - 1)) == 0) }
    }

    @Test(.enabled(if: geteuid() == 0)) func theFirstProcessOfANamespaceLivesOn() throws {
        let child = try run("first")
        #expect(child.output == "lived and ended with 7\n", "\(child.status) \(child.errors)")
        // One that installs as the first process: nothing is watched, and the signal is not delivered.
        let process = try ChildProcess(
            "unshare", ["--fork", "--pid", "--kill-child", try TestPrograms.ends(), storage.path, "installed"])
        try process.waitForOutput("ready")
        let file = try runFile()
        #expect(file.pid == 1 && file.context.run["watched"] == nil)
        process.kill(SIGKILL)
        _ = try process.wait()
    }

    @Test func theFiguresAreOfTheLastMoments() throws {
        _ = try run("grows", SIGKILL)
        let file = try runFile()
        let figures = try #require(file.figures)
        #expect(figures.taken.milliseconds - file.started.milliseconds >= 1000)
        #expect((figures.resident ?? 0) > 32 << 20 && (figures.peakResident ?? 0) >= (figures.resident ?? 0))
        #expect(figures.threads == 1 && figures.swapped != nil)
        #expect(file.lastSeen.milliseconds - file.started.milliseconds >= 1000)
    }

    @Test func aRecordHasThoseAtTheCrash() throws {
        #expect(try run("crashes").status == .signalled(SIGSEGV))
        let name = try #require(storage.entries("crashes").first)
        let event = try CrashRecordFile(contentsOf: storage.path + "/crashes/" + name).event()
        let memory = event.contexts["process"]?["memory"]
        guard case .integer(let resident)? = memory?["resident_bytes"] else {
            Issue.record("\(String(describing: memory))")
            return
        }
        #expect(resident > 32 << 20)
        #expect(event.contexts["process"]?["thread_count"] == 1)
    }

    /// A control group's files, in a folder made like the kernel's own.
    @Test func theControlGroupsFigures() throws {
        let group = try TemporaryFolder()
        let files = [
            "memory.current": "1000\n", "memory.max": "4096\n", "memory.events": "oom 9\noom_kill 9\n",
            "memory.events.local": "low 0\noom 3\noom_kill 2\noom_group_kill 0\n",
        ]
        for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: group.path + "/" + name)) }
        let process = try ChildProcess(
            try TestPrograms.ends(), [storage.path, "installed"], environment: ["VAKA_CGROUP_ROOT": group.path])
        try process.waitForOutput("ready")
        process.kill(SIGKILL)
        _ = try process.wait()
        let file = try runFile()
        #expect(file.context.group["version"] == "2")
        #expect(file.context.group["kills_file"] == group.path + "/memory.events.local")
        #expect(file.figures?.groupUsage == 1000 && file.figures?.groupLimit == 4096 && file.figures?.groupKills == 2)
    }

    @Test func theFirstVersionsControlGroup() throws {
        let root = try TemporaryFolder()
        let group = root.path + "/memory"
        try FileManager.default.createDirectory(atPath: group, withIntermediateDirectories: true)
        let files = [
            "memory.usage_in_bytes": "77\n", "memory.limit_in_bytes": "9223372036854771712\n",
            "memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n",
        ]
        for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: group + "/" + name)) }
        let process = try ChildProcess(
            try TestPrograms.ends(), [storage.path, "installed"], environment: ["VAKA_CGROUP_ROOT": root.path])
        try process.waitForOutput("ready")
        process.kill(SIGKILL)
        _ = try process.wait()
        let figures = try #require(try runFile().figures)
        #expect(figures.groupUsage == 77 && figures.groupLimit == nil && figures.groupKills == 5)
    }
}
