// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Hangs of programs that use the SDK. What hangs goes on when the test says so.
@Suite(.notUnderThreadSanitizer("it holds signals back")) struct HangProgramTests {
    let run: ProgramRun
    private let go: String

    init() throws {
        run = try ProgramRun()
        go = run.folder.path + "/go"
    }

    private func letGo() throws {
        try Data().write(to: URL(filePath: go))
    }

    private func hang(_ server: ScriptedServer) throws -> Event {
        try eventually { try server.events().first { $0.type == .hang } }
    }

    @Test func aLoopOnTheMainThread() throws {
        let server = try ScriptedServer()
        let process = try run.start(
            server, "hangs=0.5", "interval=0.2", "tag=shard=7", "serve=1", "say=now", "spin=\(go)", "serve=1",
            "message=after", "flush=30")
        let event = try hang(server)
        #expect(event.level == .error)
        #expect(event.hang?.watch == "main")
        #expect(event.hang?.bound == 0.5)
        #expect((event.hang?.stuck ?? 0) >= 0.5)
        #expect(event.hang?.outcome == nil)
        #expect(event.reason?.kind == .hang)
        #expect(event.tags == ["shard": "7"])
        #expect(event.session?.status == .ok)
        let main = try #require(event.threads.first)
        #expect(main.current == true)
        #expect(main.id == Int(process.processID))
        #expect(main.frames.contains { $0.module == "sdk-test-program" })
        #expect(event.threads.contains { $0.name == "vaka-watch" })
        // It hangs on, and is not told again; then it is told that it went on.
        usleep(1_500_000)
        try letGo()
        #expect(try process.wait().status == .exited(0))
        #expect(try server.events().filter { $0.type == .hang }.count == 1)
        let end = try #require(try server.hangEnds().first)
        #expect(try server.hangEnds().count == 1)
        #expect(end.eventID == event.eventID)
        #expect(end.outcome == .recovered)
        #expect((end.duration ?? 0) > 1.5)
        // What came later knows of it.
        let later = try #require(try server.events().first { $0.type == .message })
        #expect(later.breadcrumbs.map(\.message) == ["main does not go on", "main goes on"])
    }

    @Test func aDeadlock() throws {
        let server = try ScriptedServer()
        let process = try run.start(server, "hangs=0.5", "serve=1", "deadlock")
        let event = try hang(server)
        process.kill(SIGKILL)
        _ = try process.wait()
        let program = try #require(event.debugImages.first { $0.name == "sdk-test-program" })
        let deadlocked = try event.threads.filter { thread in
            let addresses = thread.frames.filter { program.contains($0.instructionAddress.rawValue) }.map { frame in
                HexAddress(frame.lookupAddress - (program.loadBias?.rawValue ?? 0)).description
            }
            let names = try ChildProcess.run(
                "/usr/bin/env", ["addr2line", "-f", "-e", program.codeFile ?? ""] + addresses
            ).output
            return names.contains("takeSecond")
        }
        #expect(deadlocked.count == 2)
        #expect(deadlocked.first?.current == true)
    }

    /// Once dispatchMain has taken over, the main queue is served by whichever thread is free.
    @Test func theMainQueueWithoutAThread() throws {
        let server = try ScriptedServer()
        let process = try run.start(server, "hangs=0.5", "main-queue=\(go)")
        let event = try hang(server)
        #expect(event.hang?.watch == "main")
        #expect(event.threads.allSatisfy { $0.current == nil })
        #expect(event.threads.contains { $0.frames.contains { $0.module == "sdk-test-program" } })
        try letGo()
        #expect(try process.wait().status == .exited(0))
    }

    @Test(arguments: ["queue": "render", "actor": "blocked"]) func others(_ step: String, _ name: String) throws {
        let server = try ScriptedServer()
        let process = try run.start(server, "interval=0.2", "\(step)=\(go)", "flush=30")
        let event = try hang(server)
        #expect(event.hang?.watch == name)
        try letGo()
        #expect(try process.wait().status == .exited(0))
        #expect(try server.hangEnds().map(\.eventID) == [event.eventID])
    }

    /// Its main queue is served by nobody: what it does there instead is its own affair.
    @Test func aMainThreadThatServesNoQueue() throws {
        let server = try ScriptedServer()
        let process = try run.start(server, "untracked", "hangs=0.2", "say=now", "spin=\(go)", "flush=30")
        try process.waitForOutput("now")
        usleep(1_500_000)
        try letGo()
        #expect(try process.wait().status == .exited(0))
        #expect(try server.events().isEmpty)
    }

    @Test func stoppedAndContinued() throws {
        let server = try ScriptedServer()
        let process = try run.start(server, "untracked", "hangs=1", "say=now", "serve=6", "flush=30")
        try process.waitForOutput("now")
        usleep(1_200_000)
        process.kill(SIGSTOP)
        usleep(2_500_000)
        process.kill(SIGCONT)
        #expect(try process.wait().status == .exited(0))
        #expect(try server.events().isEmpty)
    }

    @Test func hangThenCrash() throws {
        let server = try ScriptedServer()
        let process = try run.start(server, "hangs=0.5", "serve=1", "spin=\(go)", "crash")
        let event = try hang(server)
        try letGo()
        #expect(try process.wait().status == .signalled(SIGSEGV))
        _ = try run.start(server, "untracked", "flush=30").wait()
        let crash = try #require(try server.events().first { $0.type == .crash })
        #expect(crash.eventID != event.eventID)
        let events = try server.events()
        #expect(events.count == 2)
    }
}
