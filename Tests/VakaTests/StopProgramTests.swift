// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing
import VakaModel

/// Stops and restarts of real processes.
@Suite struct StopProgramTests {
    let run: ProgramRun

    init() throws {
        run = try ProgramRun()
    }

    private var records: [String] { run.names("crashes").filter { $0.hasSuffix(".vakacrash") } }

    @Test func afterAStopNoCrashIsCaught() throws {
        let server = try ScriptedServer()
        for step in ["stop", "stop=now"] {
            let crash = try run.start(server, "message=hello", "flush=30", step, "crash").wait()
            #expect(crash.status == .signalled(SIGSEGV))
        }
        #expect(records.isEmpty)
        // Nor does the end look like a kill.
        _ = try run.start(server, "untracked", "flush=30").wait()
        #expect(try server.events().map(\.type) == [.message, .message])
        #expect(try server.sessions().map(\.status).filter { $0 != .ok } == [.exited, .exited])
        #expect(run.names("runs").isEmpty)
    }

    @Test func afterARestartItIsCaughtWithWhatTheNewRunKnows() throws {
        let server = try ScriptedServer()
        let crash = try run.start(
            server, "breadcrumb=old", "tag=a=1", "user=u1", "stop", "restart", "breadcrumb=new", "tag=b=2", "flush=30",
            "restart", "breadcrumb=newest", "message=said", "sleep=1", "flush=30", "crash"
        ).wait()
        #expect(crash.status == .signalled(SIGSEGV))
        _ = try run.start(server, "untracked", "flush=30").wait()
        let event = try #require(try server.events().last { $0.type == .crash })
        #expect(event.breadcrumbs.map(\.message) == ["newest"])
        #expect(event.tags == [:] && event.user == ["id": "u1"])
        let sessions = try server.sessions()
        #expect(sessions.last { $0.status == .crashed }?.id == event.session?.id)
        #expect(Set(sessions.map(\.id)).count == 3)
        #expect(sessions.filter { $0.status == .exited }.count == 2)
    }

    /// The reports of a run go out with the key that the run had.
    @Test func aCrashGoesOutWithTheKeyOfItsRun() throws {
        let server = try ScriptedServer()
        _ = try run.start(server, "key=vk_old", "untracked", "crash").wait()
        let process = try run.start(server, "key=vk_old", "untracked", "flush=30", "restart=vk_mid", "sleep=1", "crash")
        #expect(try process.wait().status == .signalled(SIGSEGV))
        _ = try run.start(server, "key=vk_new", "untracked", "message=new", "flush=30").wait()
        let told = try server.requests().map { request in
            "\(request.headers["authorization"] ?? "") \(request.items.first?["payload"]?["type"]?.string ?? "")"
        }
        #expect(Set(told) == ["Bearer vk_old crash", "Bearer vk_mid crash", "Bearer vk_new message"])
        #expect(told.count == 3)
    }

    @Test func theEndDuringAStopLosesNothing() throws {
        let server = try ScriptedServer(default: .init(delay: 20))
        let result = try run.start(server, "untracked", "message=hello", "stop=now", "exit=3").wait()
        #expect(result.status == .exited(3))
        #expect(run.waiting.count == 1)
        let working = try ScriptedServer()
        _ = try run.start(working, "untracked", "flush=30").wait()
        #expect(try working.events().compactMap { $0.errors.first?.message } == ["hello"])
    }

    @Test func aWatchGoesOnAfterTheNextStart() throws {
        let server = try ScriptedServer()
        let file = run.folder.path + "/go"
        let process = try run.start(server, "untracked", "restarted-queue=\(file)")
        let event = try eventually { try server.events().first { $0.type == .hang } }
        #expect(event.hang?.watch == "render")
        try CompiledProgram.tool("touch", [file])
        #expect(try process.wait().status == .exited(0))
    }
}
