// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import Glibc
import TestSupport
import Testing
import VakaModel

/// Other threads, and other processes made by fork.
@Suite struct ConcurrencyTests {
    @Test func crashOnAnotherThread() throws {
        let captured = try Captured.preloaded(try TestPrograms.plain(), ["thread"])
        #expect(captured.result.status == .signalled(SIGSEGV))
        let event = try captured.record().event()
        #expect(event.threads.map(\.crashed) == [true, false])
        #expect(event.threads.map(\.name) == ["worker", "plain"])
        #expect(event.threads.allSatisfy { !$0.frames.isEmpty && !$0.registers.isEmpty && $0.stack != nil })
        #expect(event.threads[0].id != event.contexts["process"]?.object?["pid"]?.integerValue)
    }

    /// Again and again: which of them comes when is another every time.
    @Test(arguments: ["twenty-threads", "twenty-small-stacks"]) func twentyThreadsAtOnceLeaveOneRecord(_ way: String)
        throws
    {
        for _ in 1...10 {
            let captured = try Captured.preloaded(try TestPrograms.plain(), [way])
            #expect(captured.result.status == .signalled(SIGSEGV))
            let record = try captured.record()
            #expect(record.isWhole)
            #expect(record.event().reason?.faultAddress == HexAddress(8))
            #expect(record.event().threads.filter(\.crashed).count == 1)
            let threads = record.event().threads
            #expect(threads.count == 21)
            #expect(threads.allSatisfy { !$0.frames.isEmpty && !$0.registers.isEmpty && $0.name == "plain" })
        }
    }

    @Test func threeHundredThreads() throws {
        let captured = try Captured.preloaded(try TestPrograms.plain(), ["many-threads"])
        #expect(captured.result.status == .signalled(SIGSEGV))
        let event = try captured.record().event()
        #expect(event.threads.count == 300)
        #expect(event.threads[0].crashed)
        #expect(event.threads.allSatisfy { !$0.frames.isEmpty && $0.stack != nil && $0.name == "plain" })
        #expect(event.loss.isEmpty, "\(event.loss)")
    }

    @Test func forkedChild() throws {
        let captured = try Captured.preloaded(try TestPrograms.plain(), ["fork"])
        #expect(captured.result.status == .exited(0))
        #expect(captured.result.output == "child: signal 11\n")
        let record = try captured.record()
        #expect(record.isWhole)
        #expect(record.event().contexts["process"]?.object?["forked_child"] == true)
        #expect(captured.runs.isEmpty, "the parent's end is clean")
    }

    @Test func vforkedChildLeavesNoneAndDisturbsNothing() throws {
        let captured = try Captured.preloaded(try TestPrograms.plain(), ["vfork"])
        #expect(captured.result.status == .signalled(SIGSEGV))
        #expect(captured.result.output == "child: signal 11\n")
        let record = try captured.record()
        #expect(record.isWhole)
        #expect(record.event().contexts["process"]?.object?["forked_child"] == nil)
    }

    @Test(arguments: [("child", ["parent", "child"]), ("parent", ["parent"])])
    func childsContextIsItsOwn(_ crashing: String, _ breadcrumbs: [String]) throws {
        let event = try Captured.host("child-talks", crashing).record().event()
        #expect(event.tags == ["who": crashing])
        #expect(event.breadcrumbs.map(\.message) == breadcrumbs)
    }
}

extension JSONValue {
    fileprivate var integerValue: Int? {
        if case .integer(let number) = self { Int(number) } else { nil }
    }
}
