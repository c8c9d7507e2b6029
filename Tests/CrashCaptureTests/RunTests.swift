// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import CrashRecord
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// What a run tells about itself, and what it leaves behind.
@Suite struct RunTests {
    @Test func contextAndBreadcrumbsSurvive() throws {
        let event = try Captured.host("tell").record().event()
        #expect(event.release == "app@1.2.3")
        #expect(event.environment == "test")
        #expect(event.user == ["id": "u-1"])
        #expect(event.tags == ["colour": "blue"])
        #expect(event.breadcrumbs.map(\.message) == (73...200).map { "step \($0)" })
        #expect(event.breadcrumbs.last?.data == ["n": 200])
        #expect(event.breadcrumbs.last?.category == "test")
        #expect(event.contexts["kernel"]?.object?["name"] == "Linux")
        #expect(event.contexts["libc"]?.object?["name"] == "glibc")
        #expect(event.contexts["process"]?.object?["name"] == "host")
        for (scope, key) in [("host", "cpu_count"), ("host", "memory_bytes"), ("process", "parent_pid")] {
            guard case .integer(let number)? = event.contexts[scope]?.object?[key] else {
                Issue.record("\(scope).\(key) is no number")
                continue
            }
            #expect(number > 0)
        }
    }

    @Test func environmentOfAPreloadedProgram() throws {
        let captured = try Captured.preloaded(
            try TestPrograms.plain(), ["overflow"],
            environment: [
                "VAKA_RELEASE": "plain@2", "VAKA_ENVIRONMENT": "staging", "VAKA_STACK_BYTES": "4096", "VAKA_DEBUG": "1",
            ])
        #expect(captured.result.errors.hasPrefix("vaka: installed; run "))
        let event = try captured.record().event()
        #expect(event.release == "plain@2")
        #expect(event.environment == "staging")
        #expect(event.threads.first?.stack?.data.count == 4096)
    }

    @Test func withoutStackTheFramesAreThere() throws {
        let captured = try Captured.preloaded(
            try TestPrograms.plain(), ["abort"], environment: ["VAKA_STACK_BYTES": "0"])
        let record = try captured.record()
        #expect(!record.kinds.contains(Int(VAKA_SECTION_STACK.rawValue)))
        let event = record.event()
        let thread = try #require(event.threads.first)
        #expect(thread.stack == nil)
        #expect(thread.frames.count > 3 && thread.frames.dropFirst().allSatisfy { $0.trust == .cfi })
        #expect(!thread.framesTruncated)
        #expect(event.loss.isEmpty)
    }

    @Test func longBreadcrumbIsCut() throws {
        let breadcrumb = try #require(try Captured.host("long-breadcrumb").record().event().breadcrumbs.first)
        #expect(breadcrumb.message == String(repeating: "ä", count: 495))
        #expect(breadcrumb.data == ["vaka.cut": true])
        #expect(breadcrumb.level == .error)
    }

    @Test func fullContext() throws {
        let captured = try Captured.host("fill-context")
        #expect(captured.result.output == "9 1\n")
        let event = try captured.record().event()
        #expect(event.tags.count == 31)
        #expect(event.loss.map(\.what) == ["9 values of the run's context"])
    }

    @Test func cleanEndLeavesNothing() throws {
        let captured = try Captured.preloaded(try TestPrograms.plain(), ["exit"])
        #expect(captured.result.status == .exited(7))
        #expect(captured.crashes.isEmpty)
        #expect(captured.runs.isEmpty)
    }

    @Test func execIsNoAbnormalEnd() throws {
        let captured = try Captured.preloaded(try TestPrograms.plain(), ["exec"])
        #expect(captured.result.status == .exited(7))
        #expect(captured.runs.isEmpty)
    }

    @Test func crashAfterTheEnd() throws {
        let captured = try Captured.host("ended")
        #expect(captured.result.status == .signalled(SIGSEGV))
        #expect(try captured.record().isWhole)
        #expect(captured.runs.isEmpty)
    }

    @Test func crashInAtexit() throws {
        let captured = try Captured.preloaded(try TestPrograms.plain(), ["at-exit"])
        #expect(captured.result.status == .signalled(SIGSEGV))
        #expect(try captured.record().isWhole)
    }

    @Test func crashInADestructor() throws {
        let captured = try Captured.preloaded(
            try TestPrograms.plain(), ["exit"], environment: ["CRASH_IN_DESTRUCTOR": "1"])
        #expect(captured.result.status == .signalled(SIGSEGV))
        #expect(try captured.record().isWhole)
    }

    /// Starts the waiting host, ends it by a signal, and returns what is in its storage.
    private func killed(by signal: Int32, in storage: TemporaryFolder) throws {
        let child = try ChildProcess(try TestPrograms.host(), [storage.path, "wait"])
        try child.waitForOutput("ready")
        child.kill(signal)
        #expect(try child.wait().status == .signalled(signal))
    }

    @Test func aKilledRunKeepsWhatItTold() throws {
        let storage = try TemporaryFolder()
        try killed(by: SIGKILL, in: storage)
        #expect(storage.entries("crashes").isEmpty)
        let names = storage.entries("runs")
        #expect(names.count == 2)
        let name = try #require(names.first { $0.hasSuffix(".vakarun") })
        let run = try RunFile(contentsOf: storage.path + "/runs/" + name)
        #expect(run.state == VAKA_RUN_RUNNING)
        #expect(run.context.tags == ["colour": "red"])
        #expect(run.breadcrumbs.map(\.message) == ["waiting"])
        #expect(name == run.runID + ".vakarun")

        // The next launch removes the empty record and keeps the run file.
        #expect(try Captured.host("ignored", storage: storage).result.status == .exited(0))
        #expect(storage.entries("runs") == [name])
        #expect(storage.entries("crashes").isEmpty)
    }

    @Test func livingRunIsLeftAlone() throws {
        let storage = try TemporaryFolder()
        let child = try ChildProcess(try TestPrograms.host(), [storage.path, "wait"])
        try child.waitForOutput("ready")
        let before = storage.entries("runs")
        #expect(try Captured.host("ignored", storage: storage).result.status == .exited(0))
        #expect(storage.entries("runs") == before)
        child.kill(SIGSEGV)
        let event = try Captured(result: try child.wait(), storage: storage).record().event()
        #expect(event.reason?.senderPID == Int(getpid()))
        #expect(event.reason?.faultAddress == nil)
        let name = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8)
        #expect(event.reason?.senderName == name.split(separator: "\n").first.map(String.init))
    }

    /// Cleaners of temporary folders remove what is old: the record, or all of it.
    @Test(arguments: ["record", "folders", "everything"]) func filesRemovedMeanwhile(_ what: String) throws {
        let storage = try TemporaryFolder()
        let child = try ChildProcess(try TestPrograms.host(), [storage.path + "/own", "wait"])
        try child.waitForOutput("ready")
        let own = storage.path + "/own"
        switch what {
        case "record":
            let name = try #require(storage.entries("own/runs").first { $0.hasSuffix(".vakacrash") })
            try FileManager.default.removeItem(atPath: own + "/runs/" + name)
        case "folders":
            for folder in ["/runs", "/crashes"] { try FileManager.default.removeItem(atPath: own + folder) }
        default: try FileManager.default.removeItem(atPath: own)
        }
        child.kill(SIGSEGV)
        #expect(try child.wait().status == .signalled(SIGSEGV))
        let name = try #require(storage.entries("own/crashes").first)
        #expect(try CrashRecordFile(contentsOf: own + "/crashes/" + name).isWhole)
    }

    /// The time of day is set, by days or back to the day on which all clocks begin, between install and crash.
    @Test(arguments: [-86_400 * 3650, 86_400 * 3650, 100 - time(nil)]) func clockThatJumps(_ seconds: Int) throws {
        let before = time(nil)
        let captured = try Captured.preloaded(
            try TestPrograms.plain(), ["null-write"], library: try CaptureLibrary.faultyShared(),
            environment: ["VAKA_TEST_CLOCK_JUMP": "\(seconds)"])
        #expect(captured.result.status == .signalled(SIGSEGV))
        let record = try captured.record()
        #expect(record.isWhole)
        let event = record.event()
        #expect(event.loss.isEmpty, "\(event.loss)")
        #expect((event.threads.first?.frames.count ?? 0) > 2)
        #expect((0...60).contains(Int(event.timestamp.milliseconds / 1000) - seconds - before))
        guard case .number(let uptime)? = event.contexts["process"]?.object?["uptime_s"] else {
            throw Captured.Unexpected(description: "\(event.contexts)")
        }
        #expect((0...60).contains(uptime))
    }

    @Test func partialRecordIsKept() throws {
        let storage = try TemporaryFolder()
        let whole = try Captured.host("tell", storage: storage)
        let record = try whole.record()
        let crashes = storage.path + "/crashes/"
        let bytes = try Data(contentsOf: URL(filePath: crashes + whole.crashes[0]))
        try FileManager.default.removeItem(atPath: crashes + whole.crashes[0])
        let partial = storage.path + "/runs/00112233445566778899aabbccddeeff.vakacrash"
        try (bytes.prefix(3000) + Data(count: 50_000)).write(to: URL(filePath: partial))

        #expect(try Captured.host("ignored", storage: storage).result.status == .exited(0))
        #expect(storage.entries("crashes") == whole.crashes, "named by the record's own id")
        let kept = try CrashRecordFile(contentsOf: crashes + whole.crashes[0])
        #expect(kept.header?.record_id.0 == record.header?.record_id.0)
        #expect(!kept.isComplete)
        #expect(kept.event().reason?.signal == "SIGSEGV")
    }

    @Test func oldRunFilesAreBounded() throws {
        let storage = try TemporaryFolder()
        try killed(by: SIGKILL, in: storage)
        let name = try #require(storage.entries("runs").first { $0.hasSuffix(".vakarun") })
        for number in 10..<40 {
            try FileManager.default.copyItem(
                atPath: storage.path + "/runs/" + name,
                toPath: storage.path + "/runs/" + String(repeating: "\(number)", count: 16) + ".vakarun")
        }
        #expect(try Captured.host("ignored", storage: storage).result.status == .exited(0))
        #expect(storage.entries("runs").count == 20)
    }

    @Test func filesAreTheOwnersOnly() throws {
        let parent = try TemporaryFolder()
        let result = try ChildProcess.run(try TestPrograms.host(), [parent.path + "/a/b", "abort"])
        #expect(result.status == .signalled(SIGABRT))
        func mode(_ path: String) throws -> Int {
            var status = stat()
            guard stat(parent.path + path, &status) == 0 else { throw Captured.Unexpected(description: path) }
            return Int(status.st_mode & 0o777)
        }
        for folder in ["/a", "/a/b", "/a/b/runs", "/a/b/crashes"] { #expect(try mode(folder) == 0o700) }
        let record = try #require(parent.entries("a/b/crashes").first)
        #expect(try mode("/a/b/crashes/" + record) == 0o600)
    }
}
