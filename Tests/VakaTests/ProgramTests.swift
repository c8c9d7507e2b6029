// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// The SDK in real processes.
@Suite struct ProgramTests {
    let run: ProgramRun

    init() throws {
        run = try ProgramRun()
    }

    @Test(.notUnderThreadSanitizer("its own frames are the innermost"))
    func whatIsInMemoryIsSentAtTheEnd() throws {
        let server = try ScriptedServer()
        let result = try run.start(server, "user=u1", "message=hello", "error", "exit=3").wait()
        #expect(result.status == .exited(3))
        try server.waitForRequests(1)
        // A busy machine may not have got the answer through in time; the next launch then does.
        if !run.waiting.isEmpty { _ = try run.start(server, "untracked", "flush=30").wait() }
        #expect(try server.events().map(\.type) == [.message, .error])
        #expect(try server.sessions().map(\.status) == [.ok, .errored])
        #expect(run.waiting.isEmpty)
        let error = try #require(try server.events().last?.errors.first)
        #expect(error.type == "sdk_test_program.SampleError")
        #expect(error.message == "SampleError(number: 7)")
        // The first frame is the caller's, not the SDK's.
        let frame = try #require(error.frames.first)
        #expect(frame.module == "sdk-test-program")
        let image = try #require(try server.events().last?.debugImages.first { $0.name == frame.module })
        let address = HexAddress(frame.lookupAddress - (image.loadBias?.rawValue ?? 0))
        let found = try ChildProcess.run(
            "/usr/bin/env", ["addr2line", "-f", "-e", image.codeFile ?? "", address.description])
        #expect(found.output.contains("captureSample"))
    }

    @Test func withoutAServerEverythingStaysForTheNextLaunch() throws {
        let first = try ScriptedServer()
        let port = first.port
        first.stop()
        let result = try run.start(first, "message=hello", "flush=5").wait()
        #expect(result.status == .exited(0))
        #expect(result.output.contains("false"))
        #expect(!run.waiting.isEmpty)
        let server = try ScriptedServer(port: port)
        #expect(try run.start(server, "flush=20").wait().output.contains("true"))
        #expect(try server.events().map { $0.errors.first?.message } == ["hello"])
        #expect(run.waiting.isEmpty)
    }

    @Test func theEndDoesNotWaitLongForASlowServer() throws {
        let server = try ScriptedServer(default: .init(delay: 60))
        let start = ContinuousClock.now
        let result = try run.start(server, "message=hello").wait()
        #expect(result.status == .exited(0))
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(!run.waiting.isEmpty)
    }

    @Test func aKillInTheMiddleOfSendingLosesNothing() throws {
        for delay in [0, 3000, 20_000, 60_000] as [useconds_t] {
            let slow = try ScriptedServer(default: .init(delay: 20))
            let process = try run.start(
                slow, "untracked", "uncaught", "batch=5", "messages=25", "flush=0.1", "say=on disk", "wait")
            try process.waitForOutput("on disk")
            try slow.waitForRequests(1)
            usleep(delay)
            process.kill(SIGKILL)
            #expect(try process.wait().status == .signalled(SIGKILL))
            let server = try ScriptedServer()
            #expect(try run.start(server, "untracked", "uncaught", "flush=30").wait().output.contains("true"))
            let messages = try server.events().compactMap { $0.errors.first?.message }
            #expect(Set(messages) == Set((0..<25).map { "message \($0)" }))
            #expect(messages.count == 25)
            #expect(run.waiting.isEmpty)
        }
    }

    @Test func twoProcessesShareAFolder() throws {
        let server = try ScriptedServer(default: .init(delay: 0.01))
        let processes = try (0..<2).map { _ in
            try run.start(server, "untracked", "uncaught", "batch=3", "messages=40", "flush=30")
        }
        for process in processes { #expect(try process.wait().status == .exited(0)) }
        // Who ended first may have left the sending to the other, and the other its last ones to the next launch.
        #expect(try run.start(server, "untracked", "uncaught", "flush=30").wait().status == .exited(0))
        let events = try server.events()
        #expect(events.count == 80)
        #expect(Set(events.map(\.eventID)).count == 80)
        let sequences = try server.requests().compactMap { request -> Int64? in
            if case .integer(let number) = request.body["sequence"] { number } else { nil }
        }
        #expect(Set(sequences).count == sequences.count)
        #expect(Set(try server.requests().map { $0.body["install_id"] }).count == 1)
    }

    @Test func aForkedChildIsLeftAlone() throws {
        let server = try ScriptedServer()
        let result = try run.start(server, "untracked", "message=parent", "fork").wait()
        #expect(result.status == .exited(0))
        #expect(result.output.contains("child ended with 0"))
        if !run.waiting.isEmpty { _ = try run.start(server, "untracked", "flush=30").wait() }
        #expect(try server.events().map { $0.errors.first?.message } == ["parent"])
    }

    @Test func withoutAFolderItSaysSoAndDoesNothing() throws {
        let server = try ScriptedServer()
        let result = try ChildProcess.run(
            BuildProducts.executable("sdk-test-program"), [server.url, "/proc/nowhere", "message=hello", "flush=5"])
        #expect(result.status == .exited(0))
        #expect(result.errors.contains("Vaka did not start: cannot make the folder /proc/nowhere"))
        #expect(try server.requests().isEmpty)
    }

    @Test func aRefusedKeyStopsTheProgramsSending() throws {
        let server = try ScriptedServer(default: .init(status: 401))
        let result = try run.start(server, "untracked", "batch=2", "messages=10", "flush=10", "flush=10").wait()
        #expect(result.status == .exited(0))
        #expect(try server.requests().count == 1)
    }
}
