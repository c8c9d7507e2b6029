// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Crashes of real processes, and what the next launch makes of them.
@Suite struct CrashProgramTests {
    let run: ProgramRun

    init() throws {
        run = try ProgramRun()
    }

    @Test func theNextLaunchSendsTheCrashOnceWithWhatItsRunKnew() throws {
        let server = try ScriptedServer()
        let crash = try run.start(
            server, "release=app@1.0", "user=u1", "tag=shard=7", "breadcrumb=one", "breadcrumb=two", "error",
            "flush=30",
            "crash"
        ).wait()
        #expect(crash.status == .signalled(SIGSEGV))
        #expect(run.names("crashes").filter { $0.hasSuffix(".vakacrash") }.count == 1)

        let next = try run.start(server, "release=app@2.0", "user=u2", "tag=shard=8", "flush=30").wait()
        #expect(next.status == .exited(0))
        let crashes = try server.events().filter { $0.type == .crash }
        #expect(crashes.count == 1)
        let event = try #require(crashes.first)
        #expect(event.release == "app@1.0")
        #expect(event.user == ["id": "u1"])
        #expect(event.tags == ["shard": "7"])
        #expect(event.breadcrumbs.map(\.message) == ["one", "two"])
        #expect(event.breadcrumbs.first?.data == ["n": 1])
        #expect(event.reason?.signal == "SIGSEGV")
        #expect(event.session?.status == .crashed)
        #expect(event.session?.errors == 1)
        #expect(event.crashedThread?.frames.isEmpty == false)

        let sessions = try server.sessions().filter { $0.id == event.session?.id }
        #expect(sessions.map(\.status) == [.ok, .crashed])
        #expect(sessions.last?.release == "app@1.0")

        // Nothing is left, and nothing is told again.
        #expect(run.names("crashes").filter { $0.hasSuffix(".vakacrash") }.isEmpty)
        #expect(try run.start(server, "flush=30").wait().status == .exited(0))
        #expect(try server.events().filter { $0.type == .crash }.count == 1)
        #expect(try server.sessions().filter { $0.status == .crashed }.count == 1)
        #expect(run.waiting.isEmpty)
    }

    @Test func onlyImagesThatTheCrashPointsIntoAreSent() throws {
        let server = try ScriptedServer()
        _ = try run.start(server, "crash").wait()
        _ = try run.start(server, "flush=30").wait()
        let event = try #require(try server.events().first { $0.type == .crash })
        let stackWords = event.threads.compactMap(\.stack).flatMap { stack in
            stack.data.withUnsafeBytes { bytes in
                (0..<bytes.count / 8).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
            }
        }
        let registers = event.threads.flatMap(\.registers.values).map(\.rawValue)
        let frames = event.threads.flatMap(\.frames).map(\.instructionAddress.rawValue)
        let pointers = Set(stackWords + registers + frames)
        #expect(!event.debugImages.isEmpty)
        for image in event.debugImages { #expect(pointers.contains { image.contains($0) }) }
        #expect(event.debugImages.contains { $0.name == "sdk-test-program" })
    }

    /// Without the memory of stacks there are the frames that the handler found.
    @Test func memoryIsSentAsTheOptionsSay() throws {
        let server = try ScriptedServer()
        _ = try run.start(server, "bare", "crash").wait()
        _ = try run.start(server, "pointers", "crash").wait()
        _ = try run.start(server, "crash").wait()
        _ = try run.start(server, "flush=30").wait()
        let crashes = try server.events().filter { $0.type == .crash }
        #expect(crashes.count == 3)
        let (bare, full) = (try #require(crashes.first), try #require(crashes.last))
        #expect(bare.threads.allSatisfy { $0.stack == nil })
        #expect(bare.crashedThread?.frames.contains { $0.trust == .cfi } == true)
        #expect((full.crashedThread?.stack?.data.count ?? 0) > 0)
        #expect((bare.threads + full.threads).allSatisfy { $0.pointersOnly == nil })
        let pointers = crashes[1]
        #expect(pointers.threads.allSatisfy { $0.pointersOnly == true && $0.stack != nil })
        #expect((pointers.crashedThread?.registers.count ?? 0) < (full.crashedThread?.registers.count ?? 0))
    }

    /// What was on disk by then is sent, the crash once, and nothing is damaged.
    @Test(.notUnderThreadSanitizer("it holds signals back"))
    func aCrashWhileTheWriterIsAtWork() throws {
        let server = try ScriptedServer()
        for round in 1...3 {
            let crash = try run.start(
                server, "interval=0.01", "batch=2", "capturing", "sleep=0.\(round)", "crash"
            ).wait()
            #expect(crash.status == .signalled(SIGSEGV))
            #expect(run.names("crashes").filter { $0.hasSuffix(".vakacrash") }.count == 1)
            #expect(try run.start(server, "untracked", "flush=30").wait().status == .exited(0))
            let crashes = try server.events().filter { $0.type == .crash }
            #expect(crashes.count == round)
            #expect(crashes.last?.reason?.faultAddress == HexAddress(16))
            #expect(crashes.last?.loss == [])
            #expect((crashes.last?.crashedThread?.frames.count ?? 0) > 2)
        }
        #expect(try server.events().contains { $0.type == .message })
        #expect(run.names("crashes/damaged").isEmpty)
        #expect(run.waiting.isEmpty)
    }

    @Test func aProgramThatCrashesAtEachStartIsHeardOf() throws {
        let server = try ScriptedServer()
        for _ in 0..<3 { #expect(try run.start(server, "crash").wait().status == .signalled(SIGSEGV)) }
        // Each launch sent the crash before it; the last one waits on disk.
        #expect(try server.events().filter { $0.type == .crash }.count == 2)
        #expect(run.names("crashes").filter { $0.hasSuffix(".vakacrash") }.count == 1)
    }

    @Test func aCrashWaitsUntilTheServiceHasIt() throws {
        let server = try ScriptedServer(default: .init(status: 503))
        _ = try run.start(server, "crash").wait()
        // Without a session of its own, whose batch could be the one that is refused.
        let launch = try run.start(server, "untracked", "flush=60")
        let sent = try eventually { try server.events().first { $0.type == .crash } }
        launch.kill(SIGKILL)
        _ = try launch.wait()
        #expect(run.names("crashes").filter { $0.hasSuffix(".vakacrash") }.isEmpty)
        #expect(!run.waiting.isEmpty)
        let working = try ScriptedServer()
        _ = try run.start(working, "flush=30").wait()
        #expect(try working.events().filter { $0.type == .crash } == [sent])
    }

    @Test func aKilledRunIsAbnormal() throws {
        let server = try ScriptedServer()
        let process = try run.start(
            server, "tag=shard=7", "user=u1", "breadcrumb=step", "flush=30", "say=ready", "wait")
        try process.waitForOutput("ready")
        let session = try #require(try server.sessions().first)
        // While it lives, another launch leaves it alone.
        _ = try run.start(server, "untracked", "flush=30").wait()
        #expect(try server.sessions().map(\.status) == [.ok])
        process.kill(SIGKILL)
        _ = try process.wait()
        _ = try run.start(server, "untracked", "flush=30").wait()
        let after = try server.sessions()
        #expect(after.map(\.status) == [.ok, .abnormal])
        #expect(after.last?.id == session.id && after.last?.cause == "killed")
        #expect(run.names("runs").isEmpty)
        let event = try #require(try server.events().first)
        #expect(event.type == .abnormal && event.reason?.kind == .killed && event.session?.id == session.id)
        #expect(event.breadcrumbs.map(\.message) == ["step"] && event.tags == ["shard": "7"])
        #expect(event.user == ["id": "u1"] && event.release == "app@1.0")
        let told = event.contexts["process"]
        #expect(told?["end"]?["cause"] == "killed" && told?["end"]?["certainty"] == "likely")
        guard case .integer(let resident)? = told?["memory"]?["resident_bytes"] else {
            Issue.record("\(String(describing: told))")
            return
        }
        #expect(resident > 1 << 20)
        #expect(told?["memory"]?["sampled_at"]?.string.flatMap { Timestamp(rfc3339: $0) } != nil)
    }

    /// A container's stop, where the program has no handler of its own.
    @Test func aRunThatWasAskedToEndIsNoReport() throws {
        let server = try ScriptedServer()
        let process = try run.start(server, "flush=30", "say=ready", "wait")
        try process.waitForOutput("ready")
        process.kill(SIGTERM)
        #expect(try process.wait().status == .signalled(SIGTERM))
        _ = try run.start(server, "untracked", "flush=30").wait()
        let sessions = try server.sessions()
        #expect(sessions.map(\.status) == [.ok, .exited])
        #expect(sessions.last?.cause == "asked" && sessions.last?.duration != nil)
        #expect(try server.events().isEmpty)
    }

    /// A signal source takes the signal as it would without us, and the program ends by itself.
    @Test func aSignalSourceTakesTheSignal() throws {
        let server = try ScriptedServer()
        let process = try run.start(server, "flush=30", "source", "say=ready", "wait")
        try process.waitForOutput("ready")
        process.kill(SIGTERM)
        let result = try process.wait()
        #expect(result.status == .exited(0) && result.output.contains("taken"))
        _ = try run.start(server, "untracked", "flush=30").wait()
        #expect(try server.sessions().map(\.status) == [.ok, .exited])
        #expect(try server.events().isEmpty)
    }

    @Test func aRunThatEndedWellLeavesNothing() throws {
        let server = try ScriptedServer()
        _ = try run.start(server, "exit=3").wait()
        _ = try run.start(server, "untracked", "flush=30").wait()
        #expect(try server.sessions().map(\.status) == [.ok, .exited])
        #expect(try server.events().isEmpty)
    }

    @Test func damagedRecordsAreSetAsideAndHoldNothingUp() throws {
        let server = try ScriptedServer()
        _ = try run.start(server, "crash").wait()
        let crashes = run.folder.path + "/state/crashes/"
        try Data("no record".utf8).write(to: URL(filePath: crashes + "00.vakacrash"))
        try Data("VAKACRSH but no more".utf8).write(to: URL(filePath: crashes + "ff.vakacrash"))
        let next = try run.start(server, "flush=30").wait()
        #expect(next.status == .exited(0))
        #expect(try server.events().filter { $0.type == .crash }.count == 1)
        #expect(run.names("crashes/damaged") == ["00.vakacrash", "ff.vakacrash"])
    }

    @Test func aRecordWhoseReadingNeverEndsIsSetAside() throws {
        let server = try ScriptedServer()
        _ = try run.start(server, "crash").wait()
        let crashes = run.folder.path + "/state/crashes/"
        let name = try #require(run.names("crashes").first { $0.hasSuffix(".vakacrash") })
        // As if the process had died while it read, three times.
        try FileManager.default.moveItem(atPath: crashes + name, toPath: crashes + name + ".3")
        _ = try run.start(server, "flush=30").wait()
        #expect(try server.events().filter { $0.type == .crash }.isEmpty)
        #expect(run.names("crashes/damaged") == [name])
        // Twice is not yet too often.
        try FileManager.default.moveItem(atPath: crashes + "damaged/" + name, toPath: crashes + name + ".2")
        _ = try run.start(server, "flush=30").wait()
        #expect(try server.events().filter { $0.type == .crash }.count == 1)
    }

    @Test func aCutRecordIsSentAsFarAsItGoes() throws {
        let server = try ScriptedServer()
        _ = try run.start(server, "tag=shard=7", "crash").wait()
        let name = try #require(run.names("crashes").first { $0.hasSuffix(".vakacrash") })
        let path = run.folder.path + "/state/crashes/" + name
        let whole = try Data(contentsOf: URL(filePath: path))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: path))
        _ = try run.start(server, "flush=30").wait()
        let event = try #require(try server.events().first { $0.type == .crash })
        #expect(event.reason?.signal == "SIGSEGV")
        #expect(!event.loss.isEmpty)
    }

    /// What the first launch is sending, the second one leaves to it; what it finds afterwards is gone.
    @Test func aSecondLaunchWhileTheFirstSends() throws {
        let server = try ScriptedServer(answers: [.init(delay: 3)])
        // A crash soon after the start is sent in a hurry, and so perhaps twice.
        _ = try run.start(server, "untracked", "sleep=5.1", "crash").wait()
        let first = try run.start(server, "untracked", "flush=60", "say=flushed")
        try server.waitForRequests(1)
        let second = try run.start(server, "untracked", "flush=60").wait()
        #expect(second.status == .exited(0))
        #expect(try first.wait().status == .exited(0))
        _ = try run.start(server, "untracked", "flush=60").wait()
        #expect(try server.events().map(\.type) == [.crash])
        #expect(run.waiting.isEmpty)
    }

    /// A crash while a report is on its way: that report and the new one arrive, the first perhaps twice under its id.
    @Test func aCrashWhileItSends() throws {
        let slow = try ScriptedServer(default: .init(delay: 120))
        _ = try run.start(slow, "untracked", "tag=n=1", "crash").wait()
        let sender = try run.start(slow, "untracked", "tag=n=2", "say=ready", "wait")
        try sender.waitForOutput("ready")
        let first = try eventually { try slow.events().first }
        sender.kill(SIGSEGV)
        #expect(try sender.wait().status == .signalled(SIGSEGV))
        let server = try ScriptedServer()
        _ = try run.start(server, "untracked", "flush=60").wait()
        let events = try server.events()
        #expect(events.map(\.tags) == [["n": "1"], ["n": "2"]])
        #expect(events.first == first)
        #expect(run.waiting.isEmpty && run.names("crashes").allSatisfy { $0 == "damaged" })
    }

    /// A folder may hold what another build or machine left: it is sent as what it is.
    @Test func aRecordOfAnotherArchitecture() throws {
        let server = try ScriptedServer()
        _ = try run.start(server, "untracked", "exit=0").wait()
        let crashes = run.folder.path + "/state/crashes/"
        var foreign = RecordWriter(architecture: UInt16(VAKA_ARCH_ARM64))
        foreign.add(VAKA_SECTION_REASON, SampleRecord.reason())
        foreign.add(VAKA_SECTION_IMAGES, SampleRecord.images())
        foreign.end()
        try Data(foreign.bytes).write(to: URL(filePath: crashes + "aa.vakacrash"))
        let unknown = RecordWriter(architecture: 243)
        try Data(unknown.bytes).write(to: URL(filePath: crashes + "bb.vakacrash"))
        #expect(try run.start(server, "untracked", "flush=30").wait().status == .exited(0))
        let events = try server.events()
        #expect(events.map(\.arch) == ["arm64"])
        #expect(run.names("crashes/damaged") == ["bb.vakacrash"])
    }

    @Test func aCertificateThatNobodyTrusts() throws {
        let certificate = run.folder.path + "/certificate.pem"
        try CompiledProgram.tool(
            "openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=another.example",
                "-keyout", certificate, "-out", certificate + ".crt",
            ])
        try CompiledProgram.tool("sh", ["-c", "cat \(certificate).crt >> \(certificate)"])
        let server = try ScriptedServer(certificate: certificate)
        _ = try run.start(server, "untracked", "crash").wait()
        let launch = try run.start(server, "untracked", "flush=20").wait()
        #expect(launch.status == .exited(0) && launch.output.contains("false"), "\(launch.errors)")
        #expect(try server.requests().isEmpty)
        #expect(run.waiting.count == 1)
        let working = try ScriptedServer()
        _ = try run.start(working, "untracked", "flush=30").wait()
        #expect(try working.events().map(\.type) == [.crash])
    }

    /// A program that SwiftPM builds gives its threads alternate stacks too.
    @Test(.notUnderThreadSanitizer("it needs stack of its own"))
    func stackOverflowOnAThread() throws {
        let server = try ScriptedServer()
        let crash = try run.start(server, "overflow").wait()
        #expect(crash.status == .signalled(SIGSEGV))
        #expect(try run.start(server, "flush=30").wait().status == .exited(0))
        let event = try #require(try server.events().first { $0.type == .crash })
        #expect(event.reason?.kind == .stackOverflow)
        #expect((event.crashedThread?.frames.count ?? 0) > 60)
        #expect(event.threads.count > 1)
        #expect(event.threads.allSatisfy { !$0.frames.isEmpty })
    }
}
