// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import VakaRecording

/// Frames as differences, and what a reader makes of them.
@Suite struct RecordingPartTests {
    private static let name = String(repeating: "ab", count: 16)

    private func part() -> RecordingPart {
        RecordingPart(
            Recording(
                recordingID: Self.name, part: 0, started: Timestamp(milliseconds: 0), privacy: .none, quality: .high),
            started: .zero)
    }

    private static func drawing(_ random: inout SeededRandom) -> RecordingDrawing {
        RecordingDrawing(
            kind: .text, x: Int32.random(in: 0...3, using: &random), y: 0, width: 10, height: 10,
            text: Bool.random(using: &random) ? "t\(Int.random(in: 0...3, using: &random))" : nil)
    }

    @Test(arguments: 1...40) func framesAreReadAsTheyWereTaken(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var part = part()
        var taken: [RecordedScreen] = []
        var screen = RecordedScreen(width: 100, height: 100)
        for number in 0..<40 {
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let place = Int.random(in: 0...screen.drawings.count, using: &random)
                if place < screen.drawings.count, Bool.random(using: &random) {
                    screen.drawings.remove(at: place)
                } else {
                    screen.drawings.insert(Self.drawing(&random), at: place)
                }
            }
            if part.add(screen, at: .seconds(number), isNew: number % 7 == 0) != nil { taken.append(screen) }
        }
        let json = try ModelCoding.encode(part.recording)
        let read = try ModelCoding.decode(Recording.self, from: json)
        #expect(read == part.recording)
        var replay = try RecordingReplay(read)
        for screen in taken {
            let picture = try #require(try replay.next())
            #expect(picture.drawings == screen.drawings)
        }
        #expect(try replay.next() == nil)
    }

    @Test func aScreenThatStaysTheSameCostsNothing() {
        var part = part()
        var random = SeededRandom(seed: 1)
        let screen = RecordedScreen(width: 10, height: 10, drawings: (0..<50).map { _ in Self.drawing(&random) })
        #expect(part.add(screen, at: .seconds(0), isNew: true) != nil)
        #expect(part.add(screen, at: .seconds(1), isNew: false) == nil)
        #expect(part.recording.frames.count == 1 && part.recording.duration == 1000)
        // Another screen is told of, though it looks the same.
        #expect(part.add(screen, at: .seconds(2), isNew: true) != nil)
        var changed = screen
        changed.drawings[7].text = "other"
        #expect(part.add(changed, at: .seconds(3), isNew: false) != nil)
        #expect(part.recording.frames.last?.changes.map(\.drawings.count) == [1])
    }

    @Test func aPartHasNoMoreTapsThanAreRead() throws {
        var part = part()
        _ = part.add(RecordedScreen(width: 10, height: 10), at: .zero, isNew: true)
        // As many at once as may wait for a frame.
        while !part.isFull {
            for _ in 0..<PendingTaps.most {
                _ = part.add(PendingTap(uptime: .zero, place: TapPlace(x: 1, y: 1)))
            }
        }
        #expect(part.recording.taps.count > 500)
        try RecordingReplay.check(part.recording)
    }

    @Test func aPartIsFullBeforeItIsTooLargeToBeSent() throws {
        var part = part()
        var number = 0
        while !part.isFull {
            var screen = RecordedScreen(width: 10, height: 10)
            for index in 0..<RecordingLimits.drawings {
                screen.drawings.append(
                    RecordingDrawing(kind: .text, x: Int32(number), y: Int32(index), width: 10, height: 10))
            }
            _ = part.add(screen, at: .seconds(number), isNew: false)
            number += 1
        }
        #expect(try ModelCoding.encode(part.recording).count < RecordingLimits.bytes)
        try RecordingReplay.check(part.recording)
    }
}
