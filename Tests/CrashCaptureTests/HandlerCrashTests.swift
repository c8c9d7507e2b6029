// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import CrashRecord
import Glibc
import TestSupport
import Testing
import VakaModel

/// Crashes in the handler itself, at every stage.
@Suite struct HandlerCrashTests {
    private static let stop = 16

    private func crash(
        stages: UInt32, way: String = "null-write", aborting: Bool = false, hanging: Bool = false
    ) throws -> Captured {
        try Captured.preloaded(
            try TestPrograms.plain(), [way], library: try CaptureLibrary.faultyShared(),
            environment: [
                "VAKA_TEST_FAULT_STAGES": "\(stages)", "VAKA_TEST_FAULT_ABORTS": aborting ? "1" : nil,
                "VAKA_TEST_FAULT_HANGS": hanging ? "1" : nil,
            ])
    }

    @Test(arguments: 1...Self.stop) func crashInOneStage(_ stage: Int) throws {
        let captured = try crash(stages: 1 << stage)
        #expect(captured.result.status == .signalled(SIGSEGV))
        let record = try captured.record()
        #expect(record.isWhole)
        let event = record.event()
        #expect(event.loss.contains { $0.what == "what follows stage \(stage)" } == (stage < 14 || stage == Self.stop))
        #expect(event.reason == nil || event.reason?.faultAddress == HexAddress(8), "the first crash, not the second")
    }

    @Test(arguments: ["abort", "raise", "breakpoint"]) func crashWhileASignalIsHandled(_ way: String) throws {
        let expected = try ChildProcess.run(try TestPrograms.plain(), [way])
        let captured = try crash(stages: 1 << 8, way: way)
        #expect(captured.result.status == expected.status)
        #expect(try captured.record().isWhole)
    }

    /// The second crash leaves what the kernel kept of the first one as it is.
    @Test(arguments: [2, 6, 8, 13]) func crashWhileASmallAlternateStackIsInUse(_ stage: Int) throws {
        let captured = try crash(stages: 1 << stage, way: "small-stack")
        #expect(captured.result.status == .signalled(SIGSEGV))
        let record = try captured.record()
        #expect(record.isWhole)
        #expect(record.event().loss.contains { $0.what == "what follows stage \(stage)" } == (stage < 14))
        if stage > 2 { #expect(record.event().reason?.faultAddress == HexAddress(8)) }
    }

    @Test func abortInTheHandler() throws {
        let captured = try crash(stages: 1 << 8, aborting: true)
        #expect(captured.result.status == .signalled(SIGSEGV))
        let record = try captured.record()
        #expect(record.isWhole)
        #expect(record.event().loss.contains { $0.what == "what follows stage 8" })
    }

    /// A timer of the handler's own ends it, and the record goes on. Without one the test would wait in vain.
    @Test(arguments: [2, 6, 8, 12, 13, 14]) func hungStage(_ stage: Int) throws {
        let captured = try crash(stages: 1 << stage, way: "thread", hanging: true)
        #expect(captured.result.status == .signalled(SIGSEGV))
        let record = try captured.record()
        #expect(record.isWhole)
        let event = record.event()
        #expect(event.loss.contains { $0.what == "what follows in stage \(stage)" } == (stage < 14))
        #expect(event.crashedThread?.name == "worker")
    }

    /// The third crash leaves no more than an end.
    @Test func threeCrashesLeaveAMinimalRecord() throws {
        let captured = try crash(stages: 1 << 6 | 1 << 7 | 1 << 8)
        #expect(captured.result.status == .signalled(SIGSEGV))
        let record = try captured.record()
        #expect(record.isWhole)
        #expect(record.event().reason?.signal == "SIGSEGV")
        #expect(record.event().loss.map(\.what) == [6, 7, 8].map { "what follows stage \($0)" })
        #expect(record.event().debugImages.isEmpty)
    }

    @Test func crashInEveryStageEndsSoon() throws {
        let captured = try crash(stages: 0x1ffff)
        #expect(captured.result.status == .signalled(SIGSEGV))
        #expect(try captured.record().isWhole)
    }
}
