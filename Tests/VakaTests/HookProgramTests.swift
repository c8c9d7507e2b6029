// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// What earlier runs left, and the hook of this one.
@Suite struct HookProgramTests {
    let run: ProgramRun
    let server: ScriptedServer

    init() throws {
        run = try ProgramRun()
        server = try ScriptedServer()
        let crash = try run.start(server, "user=u", "breadcrumb=secret", "flush=30", "crash").wait()
        #expect(crash.status == .signalled(SIGSEGV))
    }

    var crashes: [Event] { get throws { try server.events().filter { $0.type == .crash } } }
    var crashedSessions: Int { get throws { try server.sessions().filter { $0.status == .crashed }.count } }
    var dropped: [String: Int64] {
        get throws {
            try server.requests().map(\.dropped).reduce(into: [:]) { sum, one in sum.merge(one, uniquingKeysWith: +) }
        }
    }
    /// Nothing of it waits any more.
    var isToldOf: Bool { run.names("crashes").filter { $0.contains(".vakacrash") }.isEmpty }

    @Test func itChangesTheCrash() throws {
        _ = try run.start(server, "hook=redact", "flush=30").wait()
        let crash = try #require(try crashes.first)
        #expect(crash.breadcrumbs.isEmpty)
        #expect(crash.user == ["id": "u"])
        #expect(try crashedSessions == 1)
        #expect(try dropped.isEmpty)
    }

    @Test(arguments: ["drop": "before_send", "throw": "hook_failed"]) func whatItDropsIsCounted(
        hook: String, reason: String
    ) throws {
        _ = try run.start(server, "hook=\(hook)", "flush=30").wait()
        #expect(try crashes.isEmpty)
        #expect(isToldOf)
        // The session crashed all the same.
        #expect(try crashedSessions == 1)
        #expect(try dropped == [reason: 1])
    }

    @Test func itMayReport() throws {
        _ = try run.start(server, "hook=capture", "message=m", "flush=30").wait()
        let events = try server.events()
        #expect(events.count == 2)
        #expect(events.allSatisfy { $0.tags["hook"] == "seen" })
        #expect(try dropped == ["hook_reentered": 2])
    }

    /// It ends the program at every start: the third start goes on without what it would have seen.
    @Test func oneThatCrashesDoesSoTwice() throws {
        for _ in 0..<2 {
            // A recent crash is seen to before `start` returns, an older one beside what the program does.
            #expect(try run.start(server, "hook=crash", "wait").wait().status == .signalled(SIGSEGV))
        }
        let third = try run.start(server, "hook=crash", "flush=30").wait()
        #expect(third.status == .exited(0))
        #expect(try crashes.isEmpty)
        #expect(isToldOf)
        // The first crash and the two of the hook.
        #expect(try dropped == ["hook_crashed": 3])
        #expect(try crashedSessions == 3)
        // From then on as before.
        #expect(run.folder.entries("state").contains("screening") == false)
    }

    /// Killed while the hook is being called: that is no fault of the hook.
    @Test func aKillIsForgiven() throws {
        let child = try run.start(server, "hook=hang", "say=up", "wait")
        try child.waitForOutput("up")
        child.kill(SIGKILL)
        _ = try child.wait()
        #expect(run.folder.entries("state").contains("screening"))
        _ = try run.start(server, "hook=redact", "flush=30").wait()
        #expect(try crashes.count == 1)
        #expect(try dropped.isEmpty)
    }
}
