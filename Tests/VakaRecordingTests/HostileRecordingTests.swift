// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing
import VakaModel

/// What others say is a recording.
@Suite struct HostileRecordingTests {
    private static let name = String(repeating: "ab", count: 16)

    private func fault(_ change: (inout Recording) -> Void) -> RecordingFault? {
        var recording = Recording(
            recordingID: Self.name, part: 0, started: Timestamp(milliseconds: 0), privacy: .all, quality: .low)
        recording.duration = 10_000
        recording.frames = [
            RecordingFrame(
                at: 0, width: 10, height: 10, changes: [RecordingChange(index: 0, removed: 0, drawings: [Self.box])])
        ]
        change(&recording)
        do {
            try RecordingReplay.check(recording)
            return nil
        } catch {
            return error
        }
    }

    private static let box = RecordingDrawing(kind: .button, x: 0, y: 0, width: 1, height: 1)

    @Test func aSoundOneIsTaken() { #expect(fault { _ in } == nil) }

    @Test func eachFaultIsToldByItsName() {
        #expect(fault { $0.schemaVersion = 2 } == .newerSchema(2))
        #expect(fault { $0.recordingID = "../x" } == .badName("recording_id"))
        #expect(fault { $0.eventID = "A" } == .badName("event_id"))
        #expect(fault { $0.frames = Array(repeating: $0.frames[0], count: 241) } == .tooManyFrames(241))
        #expect(
            fault { $0.taps = Array(repeating: RecordingTap(at: 0, x: 0, y: 0), count: 1001) } == .tooManyTaps(1001))
        #expect(fault { $0.taps = [RecordingTap(at: 0, x: .min, y: 0)] } == .outOfBounds(frame: 0))
        #expect(fault { $0.duration = -1 } == .outOfBounds(frame: 0))
        for duration in [-1, .min, .max] {
            let told = fault { recording in
                recording.duration = duration
                recording.taps = [RecordingTap(at: 0, x: 0, y: 0)]
            }
            #expect(told == .outOfBounds(frame: 0))
        }
        #expect(fault { $0.frames[0].at = 10_001 } == .outOfOrder(frame: 0))
        #expect(fault { $0.frames[0].width = -1 } == .outOfBounds(frame: 0))
        #expect(fault { $0.frames[0].changes[0].index = 1 } == .changeDoesNotFit(frame: 0))
        #expect(fault { $0.frames[0].changes[0].removed = .max } == .changeDoesNotFit(frame: 0))
        #expect(fault { $0.frames[0].changes[0].drawings[0].x = .max } == .outOfBounds(frame: 0))
        #expect(
            fault { $0.frames[0].changes[0].drawings[0].kind = ElementRole(rawValue: "script") }
                == .unknownKind(frame: 0))
        #expect(
            fault { $0.frames[0].changes[0].drawings[0].text = String(repeating: "x", count: 2001) }
                == .textTooLong(frame: 0))
        #expect(
            fault { $0.frames[0].changes[0].drawings = Array(repeating: Self.box, count: 5001) }
                == .tooManyDrawings(frame: 0))
        #expect(
            fault { recording in
                let drawings = Array(repeating: Self.box, count: 4000)
                let change = RecordingChange(index: 0, removed: 0, drawings: drawings)
                var again = change
                again.removed = 4000
                recording.frames[0].changes = [change] + Array(repeating: again, count: 20)
            } == .tooMuch)
    }
}
