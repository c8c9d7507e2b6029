// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import CrashRecord
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Snapshots of living processes: what is in them, and that the process is none the worse.
@Suite struct SnapshotTests {
    @Test func everyThreadIsInIt() throws {
        let captured = try Captured.snapshots("threads")
        #expect(captured.result.status == .exited(0))
        let record = try captured.record()
        #expect(record.isWhole)
        let event = record.event()
        #expect(event.type == .snapshot)
        #expect(event.level == .info)
        #expect(event.reason?.message == "slow request")
        #expect(event.reason?.signal == nil)
        #expect(event.loss.isEmpty, "\(event.loss)")
        #expect(event.threads.map(\.name) == ["snapshots", "first", "second"])
        #expect(event.threads.map(\.current) == [true, nil, nil])
        #expect(event.crashedThread == nil)
        #expect(event.breadcrumbs.map(\.message) == ["before"])
        #expect(event.tags == ["colour": "red"])
        #expect(event.release == "test@1")
        guard case .number(let stopped)? = event.contexts["process"]?["stopped_ms"] else {
            Issue.record("how long the threads were stopped is not told")
            return
        }
        #expect(stopped > 0)
        let program = try #require(event.debugImages.first { $0.codeFile?.hasSuffix("/snapshots") == true })
        for thread in event.threads {
            #expect(thread.registers["rip"] ?? thread.registers["pc"] == thread.frames.first?.instructionAddress)
            #expect(thread.frames.contains { program.contains($0.instructionAddress.rawValue) })
            #expect(thread.frames.dropFirst().allSatisfy { $0.trust == .cfi })
            #expect((thread.stack?.data.count ?? 0) > 1024)
        }
    }

    /// The innermost frames are those of the call.
    @Test func itBeginsWithTheCall() throws {
        let event = try Captured.snapshots("alone").record().event()
        #expect(event.reason == nil)
        let frames = try #require(event.threads.first).frames
        let image = try #require(event.debugImages.first { $0.name == "snapshots" })
        let names = try frames.prefix(3).map { frame in
            let address = HexAddress(frame.lookupAddress - (image.loadBias?.rawValue ?? 0))
            return try ChildProcess.run(
                "/usr/bin/env", ["addr2line", "-f", "-e", image.codeFile ?? "", address.description]
            ).output.prefix { $0 != "\n" }
        }
        #expect(names == ["vaka_crash_snapshot", "snapshot", "alone"])
    }

    @Test func theMessageIsBounded() throws {
        let event = try Captured.snapshots("message", "5000").record().event()
        #expect(event.reason?.message?.utf8.count == 4096)
        #expect(event.loss.map(\.what) == ["the end of the message"])
    }

    /// Heap, streams, locks, conditions and blocking reads of 50 threads go on as if nothing were.
    @Test func theProgramDoesNotNotice() throws {
        let rounds = ProcessInfo.processInfo.environment["VAKA_SOAK"] == nil ? 40 : 200
        let captured = try Captured.snapshots("stress", String(rounds), program: try TestPrograms.unnoticed())
        #expect(captured.result.status == .exited(0))
        #expect(captured.result.output == "0 failed, nothing lost\n", "\(captured.result.errors)")
        #expect(captured.crashes.count == rounds)
        #expect(captured.runs.isEmpty)
        let record = try CrashRecordFile(contentsOf: captured.storage.path + "/crashes/" + captured.crashes[0])
        #expect(record.isWhole)
        #expect(record.event().threads.count == 51)
    }

    /// Dispatch's threads, on which tasks run, block every signal but those of faults.
    @Test func tasksAndQueuesDoNotNotice() throws {
        let rounds = ProcessInfo.processInfo.environment["VAKA_SOAK"] == nil ? 40 : 200
        let captured = try Captured.preloaded(
            try TestPrograms.tasks(), [String(rounds)],
            environment: ["VAKA_UNBOUNDED_SNAPSHOTS": "1", "SWIFT_BACKTRACE": "enable=no"])
        #expect(captured.result.status == .exited(0), "\(captured.result.errors)")
        #expect(captured.result.output == "0 failed\nnothing lost\n")
        let events = try captured.events()
        #expect(events.count == rounds)
        #expect(events.allSatisfy { $0.threads.count > 2 && $0.loss.isEmpty })
        #expect(events.allSatisfy { $0.threads.allSatisfy { $0.registers.count > 2 && !$0.frames.isEmpty } })
    }

    @Test(arguments: ["address", "thread"]) func sanitizers(_ which: String) throws {
        let program = try TestPrograms.unnoticed(sanitizer: which)
        let captured = try Captured.snapshots("stress", "15", program: program)
        #expect(captured.result.status == .exited(0), "\(captured.result.errors)")
        #expect(captured.result.output == "0 failed, nothing lost\n", "\(captured.result.errors)")
        #expect(captured.crashes.count == 15)
    }

    @Test func aStaticProgram() throws {
        let captured = try Captured.snapshots("threads", program: try TestPrograms.staticSnapshots())
        #expect(captured.result.status == .exited(0))
        #expect(try captured.record().event().threads.count == 3)
    }

    /// Paths of libraries that were unloaded make room for others'.
    @Test func librariesComeAndGo() throws {
        let folder = try TemporaryFolder()
        let long = folder.path + String(repeating: "/" + String(repeating: "x", count: 200), count: 18)
        let library = long + "/library.so"
        try CompiledProgram.tool("install", ["-D", try TestPrograms.library(), library])
        let captured = try withExtendedLifetime(folder) {
            try Captured.snapshots("loading", library, program: try TestPrograms.unnoticed())
        }
        #expect(captured.result.status == .exited(0), "\(captured.result.errors)")
        let event = try captured.record().event()
        #expect(event.debugImages.compactMap(\.codeFile).filter { $0.hasSuffix("library.so") } == [library])
        #expect(event.debugImages.contains { $0.codeFile?.hasSuffix("/unnoticed") == true })
        #expect(event.loss.isEmpty, "\(event.loss)")
    }

    @Test func theProgramsOwnSignalsGoOn() throws {
        let captured = try Captured.snapshots("signals", program: try TestPrograms.unnoticed())
        #expect(captured.result.status == .exited(0))
        #expect(captured.result.output == "0 failed\n", "\(captured.result.errors)")
    }

    /// A thread that waits for every signal is sent none of ours.
    @Test func aThreadForSignals() throws {
        let captured = try Captured.snapshots("signal-thread", program: try TestPrograms.unnoticed())
        #expect(captured.result.output == "nothing\n")
        let event = try #require(try captured.events().first)
        let thread = try #require(event.threads.first { $0.name == "signals" })
        #expect(thread.registers.count == 2, "where it waits, as /proc tells")
        #expect(event.loss.map(\.what) == ["registers of 1 thread"])
    }

    /// docs/snapshots.md lists those that are interrupted.
    @Test func whichCallsAreInterrupted() throws {
        let storage = try TemporaryFolder()
        let program = try TestPrograms.interrupted()
        let result = try ChildProcess.run("/usr/bin/env", ["setsid", "-w", program, storage.path])
        let lines = result.output.split(separator: "\n").map { $0.split(separator: " ") }
        let interrupted = lines.filter { $0.last == "interrupted" }.map { $0.dropLast().joined(separator: " ") }
        #expect(lines.count == 21, "\(result.errors)")
        #expect(
            interrupted == [
                "sem_timedwait", "recv SO_RCVTIMEO", "nanosleep", "clock_nanosleep", "poll", "select", "epoll_wait",
                "pause", "msgrcv", "semop",
            ])
        #expect(lines.allSatisfy { $0.last == "interrupted" || $0.last == "restarted" })
    }

    // MARK: How many

    @Test func severalAtOnceWaitForOneAnother() throws {
        let captured = try Captured.snapshots("at-once")
        #expect(captured.result.output == "0 failed\n", "\(captured.result.errors)")
        #expect(captured.crashes.count == 40)
    }

    @Test func theirRateIsBounded() throws {
        #expect(try Captured.snapshots("too-many").result.output == "10 taken, then EAGAIN\n")
    }

    @Test func aFullFolderTakesNoMore() throws {
        let captured = try Captured.snapshots("full")
        #expect(captured.result.output == "200 taken, then EDQUOT\n")
        #expect(captured.crashes.count == 200)
    }

    @Test(arguments: ["without-install", "after-uninstall", "beside-uninstall"]) func noneIsTaken(_ way: String) throws
    {
        #expect(try Captured.snapshots(way).result.output == "ENOTCONN\n")
    }

    @Test func whatCannotBeWrittenIsAnError() throws {
        let limited = try Captured.snapshots("unwritable", "4096")
        #expect(limited.result.output == "EFBIG\n")
        let exhausted = try Captured.snapshots("descriptors")
        #expect(exhausted.result.output == "EMFILE\n")
        #expect((limited.crashes + exhausted.crashes).isEmpty)
    }

    @Test func aRemovedFolderIsMadeAgain() throws {
        #expect(try Captured.snapshots("removed").record().isWhole)
    }

    // MARK: Processes

    /// A program that is started with VAKA_STORAGE can take them, too.
    @Test func withThePreloadedLibrary() throws {
        let captured = try Captured.preloaded(
            try TestPrograms.preloadedSnapshots(), ["-", "threads"], environment: ["VAKA_RELEASE": "test@1"])
        #expect(captured.result.status == .exited(0), "\(captured.result.errors)")
        #expect(try captured.record().event().threads.count == 3)
    }

    @Test func aForkedChildTakesItsOwn() throws {
        let captured = try Captured.snapshots("forked")
        #expect(captured.result.status == .exited(0), "\(captured.result.errors)")
        let events = try captured.events()
        #expect(events.map { $0.reason?.message }.sorted { $0 ?? "" < $1 ?? "" } == ["child", "parent"])
        let child = try #require(events.first { $0.reason?.message == "child" })
        #expect(child.contexts["process"]?["forked_child"] == true)
        #expect(child.threads.count == 1)
    }

    @Test func aForkBesideASnapshot() throws {
        #expect(try Captured.snapshots("forks-beside").result.output == "20 children\n")
    }

    // MARK: Crashes

    /// The crash waits for the snapshot that is being taken, and is recorded.
    @Test func aCrashOnAnotherThread() throws {
        for delay in [0, 700, 1500, 3000, 5000] {
            let captured = try Captured.snapshots("crash-beside", String(delay))
            #expect(captured.result.status == .signalled(SIGSEGV))
            let crashes = try captured.events().filter { $0.type == .crash }
            #expect(crashes.count == 1)
            #expect(crashes.first?.reason?.signal == "SIGSEGV")
            #expect(crashes.first?.threads.count == 3)
            #expect(crashes.first?.loss.isEmpty == true, "\(crashes.first?.loss ?? [])")
        }
    }

    @Test func aSnapshotBeforeACrash() throws {
        let captured = try Captured.snapshots("then-crash")
        #expect(captured.result.status == .signalled(SIGSEGV))
        let events = try captured.events()
        #expect(Set(events.map(\.type)) == [.crash, .snapshot])
        #expect(Set(events.map(\.eventID)).count == 2)
        let crash = try #require(events.first { $0.type == .crash })
        #expect(crash.reason?.message == nil, "the snapshot's message is its own")
        #expect(crash.threads.count == 2)
        #expect(crash.loss.isEmpty, "\(crash.loss)")
    }

    private static let stage = String(1 << 17)

    /// In the taking of a snapshot itself, while the threads are stopped.
    @Test func aCrashWithinIt() throws {
        let captured = try Captured.preloaded(
            try TestPrograms.preloadedSnapshots(), ["-", "own-crash"], library: CaptureLibrary.faultyShared(),
            environment: ["VAKA_TEST_FAULT_STAGES": Self.stage])
        #expect(captured.result.status == .signalled(SIGSEGV))
        let record = try captured.record()
        #expect(record.isWhole)
        let event = record.event()
        #expect(event.type == .crash)
        #expect(event.reason?.faultAddress == HexAddress(0x1230))
        #expect(event.threads.count == 2)
        #expect(event.threads.allSatisfy { $0.registers.count > 2 && !$0.frames.isEmpty })
    }

    /// Threads go on by themselves, and a crash waits no longer than its bound.
    @Test func aHangWithinIt() throws {
        let captured = try Captured.preloaded(
            try TestPrograms.preloadedSnapshots(), ["-", "crash-beside", "3000"],
            library: CaptureLibrary.faultyShared(),
            environment: ["VAKA_TEST_FAULT_STAGES": Self.stage, "VAKA_TEST_FAULT_HANGS": "1"])
        #expect(captured.result.status == .signalled(SIGSEGV))
        let event = try captured.record().event()
        #expect(event.reason?.faultAddress == HexAddress(8))
        #expect(event.threads.count == 3)
    }
}
