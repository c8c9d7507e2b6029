// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Snapshots of a program that uses the SDK.
@Suite(.notUnderThreadSanitizer("it holds signals back")) struct SnapshotProgramTests {
    let run: ProgramRun

    init() throws {
        run = try ProgramRun()
    }

    @Test func itIsSentWhileTheProgramGoesOn() throws {
        let server = try ScriptedServer()
        let process = try run.start(
            server, "user=u1", "tag=shard=7", "breadcrumb=one", "snapshot=slow request", "say=after", "wait")
        try process.waitForOutput("after")
        let event = try eventually { try server.events().first }
        #expect(process.outputSoFar.contains("true"))
        #expect(event.type == .snapshot)
        #expect(event.level == .info)
        #expect(event.reason?.message == "slow request")
        #expect(event.user == ["id": "u1"])
        #expect(event.tags == ["shard": "7"])
        #expect(event.breadcrumbs.map(\.message) == ["one"])
        #expect(event.threads.count > 1)
        #expect(event.threads.first?.current == true)
        #expect(event.threads.first?.id == Int(process.processID))
        #expect(event.threads.first?.frames.isEmpty == false)
        // A thread that gets no processor for 100 ms is left out, and that is told.
        let isOneSilent = event.loss.contains { $0.why.contains("did not answer") }
        #expect(event.threads.allSatisfy { (isOneSilent || !$0.frames.isEmpty) && !$0.crashed })
        #expect(!event.debugImages.isEmpty)
        // Its session goes on.
        #expect(event.session?.status == .ok)
        #expect(try server.sessions().map(\.status) == [.ok])
        #expect(run.names("crashes").filter { $0.hasSuffix(".vakacrash") }.isEmpty)
        process.kill(SIGKILL)
        _ = try process.wait()
        _ = try run.start(server, "untracked", "flush=30").wait()
        #expect(try server.events().filter { $0.type == .snapshot }.count == 1)
        #expect(try server.sessions().map(\.status) == [.ok, .abnormal])
    }

    /// Ten in a row, and no more: each is sent, and the others are not.
    @Test func theirRateIsBounded() throws {
        let server = try ScriptedServer()
        let steps = (0..<12).map { "snapshot=number \($0)" }
        let result = try run.start(server, ["untracked"] + steps + ["flush=30"]).wait()
        #expect(result.status == .exited(0))
        #expect(result.output.split(separator: "\n").filter { $0 == "false" }.count == 2)
        if !run.waiting.isEmpty || !run.names("crashes").isEmpty {
            _ = try run.start(server, "untracked", "flush=30").wait()
        }
        let messages = try server.events().filter { $0.type == .snapshot }.compactMap { $0.reason?.message }
        #expect(messages.sorted() == (0..<10).map { "number \($0)" })
    }

    @Test func withoutCrashReportingThereIsNone() throws {
        let server = try ScriptedServer()
        let result = try run.start(server, "uncaught", "untracked", "snapshot=none", "flush=30").wait()
        #expect(result.output.contains("false"))
        #expect(try server.events().isEmpty)
    }
}
