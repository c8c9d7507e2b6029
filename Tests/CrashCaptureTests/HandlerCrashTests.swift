// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import CrashRecord
import Glibc
import TestSupport
import Testing
import VakaModel

/// Crashes in the handler itself, at every stage.
@Suite struct HandlerCrashTests {
    private static let ending = 15

    private func crash(stages: UInt32, way: String = "null-write", aborting: Bool = false) throws -> Captured {
        try Captured.preloaded(
            try TestPrograms.plain(), [way], library: try CaptureLibrary.faultyShared(),
            environment: ["VAKA_TEST_FAULT_STAGES": "\(stages)", "VAKA_TEST_FAULT_ABORTS": aborting ? "1" : nil])
    }

    @Test(arguments: 1...Self.ending) func crashInOneStage(_ stage: Int) throws {
        let captured = try crash(stages: 1 << stage)
        #expect(captured.result.status == .signalled(SIGSEGV))
        let record = try captured.record()
        #expect(record.isWhole)
        let event = record.event()
        #expect(event.loss.contains { $0.what == "what follows stage \(stage)" } == (stage < 14))
        #expect(event.reason == nil || event.reason?.faultAddress == HexAddress(8), "the first crash, not the second")
    }

    @Test(arguments: ["abort", "raise", "breakpoint"]) func crashWhileASignalIsHandled(_ way: String) throws {
        let expected = try ChildProcess.run(try TestPrograms.plain(), [way])
        let captured = try crash(stages: 1 << 8, way: way)
        #expect(captured.result.status == expected.status)
        #expect(try captured.record().isWhole)
    }

    @Test func abortInTheHandler() throws {
        let captured = try crash(stages: 1 << 8, aborting: true)
        #expect(captured.result.status == .signalled(SIGSEGV))
        let record = try captured.record()
        #expect(record.isWhole)
        #expect(record.event().loss.contains { $0.what == "what follows stage 8" })
    }

    @Test func crashInEveryStageEndsSoon() throws {
        let captured = try crash(stages: 0xffff)
        #expect(captured.result.status == .signalled(SIGSEGV))
        #expect(try captured.record().isWhole)
    }
}
