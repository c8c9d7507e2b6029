// SPDX-License-Identifier: Apache-2.0
import Testing
import VakaModel

@testable import Vaka

/// How many records a busy program may make.
@Suite struct RecordIntakeTests {
    private let record = NetworkRequestEvent(timestamp: .now, url: "http://h/", method: "GET")

    @Test func onlySoManyWaitInMemory() {
        var intake = RecordIntake()
        let verdicts = (0..<RecordIntake.limit + 2).map { _ in intake.add(record, at: .zero) }
        #expect(verdicts.first == .first && verdicts[1] == .kept)
        #expect(verdicts.suffix(2) == [.overflow, .overflow])
        #expect(intake.take().count == RecordIntake.limit && intake.take().isEmpty)
        #expect(intake.add(record, at: .zero) == .first)
    }

    @Test func aBurstAndThenSoManyASecond() {
        var intake = RecordIntake()
        var kept = 0
        for _ in 0..<3000 {
            if [.first, .kept].contains(intake.add(record, at: .zero)) { kept += 1 }
            _ = intake.take()
        }
        #expect(kept == Int(RecordIntake.burst))
        #expect(intake.add(record, at: .milliseconds(10)) == .tooMany)
        #expect(intake.add(record, at: .milliseconds(60)) == .first)
        // Not more than the burst, however long nothing came.
        kept = 0
        for _ in 0..<3000 {
            if [.first, .kept].contains(intake.add(record, at: .seconds(3600))) { kept += 1 }
            _ = intake.take()
        }
        #expect(kept == Int(RecordIntake.burst))
    }

    @Test func theEndOfABusyConnectionIsKept() {
        var intake = RecordIntake()
        var frame = record
        frame.connectionID = "c"
        frame.metadata = [NetworkMetadata.phase: .string(NetworkPhase.progress.rawValue)]
        var end = frame
        end.metadata = [NetworkMetadata.phase: .string(NetworkPhase.completed.rawValue)]
        for _ in 0..<Int(RecordIntake.burst) {
            _ = intake.add(frame, at: .zero)
            _ = intake.take()
        }
        #expect(intake.add(frame, at: .zero) == .tooMany)
        // It takes nobody else's place, and is bounded by the memory.
        #expect(intake.add(end, at: .zero) == .first && intake.add(end, at: .milliseconds(50)) == .kept)
        #expect(
            intake.add(frame, at: .milliseconds(50)) == .kept && intake.add(frame, at: .milliseconds(50)) == .tooMany)
        for _ in 3..<RecordIntake.limit { #expect(intake.add(end, at: .milliseconds(50)) == .kept) }
        #expect(intake.add(end, at: .milliseconds(50)) == .overflow)
    }

    @Test func aSessionIsToldOnce() {
        var telling = CapabilityTelling()
        #expect(telling.take(session: "a") == nil)
        let capabilities = [CapabilityDescriptor(id: "x", state: .supported)]
        #expect(telling.tell(capabilities, number: 1) == true)
        #expect(telling.take(session: "a") == capabilities)
        #expect(telling.take(session: "a") == nil)
        #expect(telling.take(session: "b") == capabilities)
        #expect(telling.tell([], number: 3) == true)
        #expect(telling.take(session: "b") == [])
        // Looked at before those, and come after them.
        #expect(telling.tell(capabilities, number: 2) == false)
        #expect(telling.told == [])
        #expect(telling.take(session: "b") == nil)
        #expect(telling.tell([], number: 5) == false)
        #expect(telling.tell(capabilities, number: 4) == false)
        #expect(telling.tell(capabilities, number: 6) == true)
    }
}
