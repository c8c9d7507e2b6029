// SPDX-License-Identifier: Apache-2.0
import Testing
import VakaModel

@testable import VakaNetwork

/// What becomes of records that the program makes itself.
@Suite struct ManualRecordTests {
    let setup = CaptureSetup()

    @Test func numbersThatJSONLacksLoseNoRecord() throws {
        for number in [Double.infinity, -Double.infinity, Double.nan] {
            var record = NetworkRequestEvent(timestamp: .now, url: "http://h/", method: "GET", requestID: "m")
            record.durationMilliseconds = number
            record.metadata = ["a": .number(number), "b": [.number(number), 1], "c": ["d": .number(number)]]
            setup.capture.recordRequest(record)
            let told = try #require(setup.sink.records.last)
            #expect(told.durationMilliseconds == nil)
            #expect(told.metadata == ["a": .null, "b": [.null, 1], "c": ["d": .null], "measured": false])
        }
        #expect(setup.sink.records.count == 3 && setup.sink.slotCount == 3)
    }

    @Test func aManualStepTakesNoSlot() {
        var record = NetworkRequestEvent(timestamp: .now, url: "http://h/", method: "GET", requestID: "m")
        for phase in [NetworkPhase.started, .progress, .completed] {
            record.metadata = [NetworkMetadata.phase: .string(phase.rawValue)]
            setup.capture.recordRequest(record)
        }
        #expect(setup.sink.records.count == 3 && setup.sink.slotCount == 1 && setup.sink.inFlight.isEmpty)
    }
}
