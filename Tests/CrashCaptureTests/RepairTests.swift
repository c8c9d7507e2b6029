// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import Glibc
import TestSupport
import Testing
import VakaModel

/// Handlers that were there before ours and repair what faulted: that was no crash, and the next one is recorded.
@Suite struct RepairTests {
    private func run(_ how: String, _ count: Int, _ end: String) throws -> Captured {
        let storage = try TemporaryFolder()
        let program = try TestPrograms.repairing()
        let result = try ChildProcess.run(program, [storage.path, how, "\(count)", end])
        let without = try ChildProcess.run(program, ["", how, "\(count)", end])
        #expect(result.status == without.status)
        #expect(result.output == without.output)
        return Captured(result: result, storage: storage)
    }

    @Test(arguments: ["protect", "skip"], [1, 2, 3, 4, 500]) func repairedFaultIsNoCrash(_ how: String, _ count: Int)
        throws
    {
        let captured = try run(how, count, "live")
        #expect(captured.result.status == .exited(0))
        #expect(captured.crashes.isEmpty)
        #expect(captured.runs.isEmpty, "a clean end")
    }

    /// The handler cannot repair the last one: it takes itself out of the way, aborts, exits, or does so when it comes
    /// again.
    @Test(arguments: [0, 1, 2], ["default", "abort", "exit", "exit-later"])
    func crashAfterRepairs(_ count: Int, _ end: String) throws {
        let captured = try run("protect", count, end)
        try expectCrash(captured)
    }

    /// After several repairs the handler comes first.
    @Test(arguments: ["protect", "skip"]) func crashAfterManyRepairs(_ how: String) throws {
        try expectCrash(try run(how, 50, "default"))
        try expectCrash(try run(how, 50, "exit"))
        let aborted = try run(how, 50, "abort")
        #expect(aborted.result.status == .signalled(SIGABRT))
        let event = try aborted.record().event()
        #expect(event.reason?.signal == "SIGABRT")
        #expect(event.loss.isEmpty, "\(event.loss)")
    }

    /// The other signals are not concerned.
    @Test(arguments: [1, 50]) func abortAfterRepairs(_ count: Int) throws {
        let captured = try run("protect", count, "raise")
        #expect(captured.result.status == .signalled(SIGABRT))
        let record = try captured.record()
        #expect(record.isWhole)
        #expect(record.event().reason?.signal == "SIGABRT")
    }

    private func expectCrash(_ captured: Captured) throws {
        let record = try captured.record()
        #expect(record.isWhole)
        let event = record.event()
        #expect(event.reason?.signal == "SIGSEGV")
        #expect(event.reason?.faultAddress == HexAddress(8))
        #expect(event.loss.isEmpty, "\(event.loss)")
        #expect(event.threads.count == 2)
        #expect(event.threads.allSatisfy { $0.frames.count > 2 })
    }
}
