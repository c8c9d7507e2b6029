// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// What a crash takes along of the screen.
@Suite struct LastMomentsTests {
    @Test(arguments: ["crash", "kill"]) func theLastFramesSurviveTheEnd(end: String) throws {
        let run = try RecordingRun(["screen_recording_privacy": "mask_inputs"])
        let program = try run.start("busy", "taken=3", "tap=20,20", "taken=1", end)
        _ = try program.wait()
        #expect(!run.folder.entries("state/recordings").isEmpty)
        let next = try run.start("flush", "stop", "exit")
        #expect(try next.wait().status == .exited(0))
        let event = try #require(try run.events(end == "crash" ? .crash : .abnormal).first)
        let parts = try run.recordings().filter { $0.eventID == event.eventID }
        #expect(parts.count == 1)
        let pictures = try #require(try parts.first.map(RecordingRun.pictures))
        #expect(pictures.count >= 3)
        #expect(pictures.last?.contains { $0.text?.hasPrefix("tick ") == true } == true)
        // They are sent once.
        #expect(run.folder.entries("state/recordings").isEmpty)
    }

    @Test func thirtyKillsNeverLoseTheFramesBefore() throws {
        let run = try RecordingRun()
        let first = try run.start("busy", "taken=2", "kill")
        _ = try first.wait()
        let times = Soak.isOn ? 30 : 3
        for number in 0..<times {
            let program = try run.start("busy", "taken=1", "say=ready", "frames=1000")
            try program.waitForOutput("ready", seconds: 180)
            usleep(UInt32(number * 7919 % 300_000))
            program.kill(SIGKILL)
            _ = try program.wait()
        }
        let last = try run.start("flush", "stop", "exit")
        #expect(try last.wait().status == .exited(0))
        let events = Set(try run.events(.abnormal).map(\.eventID))
        #expect(events.count == times + 1)
        #expect(Set(try run.recordings().compactMap(\.eventID)) == events)
    }

    /// A damaged file gives what stands before the damage, and never ends the reader.
    @Test func aFileThatIsCutOrChangedIsReadAsFarAsItGoes() throws {
        let run = try RecordingRun(["screen_recording_privacy": "mask_inputs"])
        _ = try run.start("busy", "taken=4", "kill").wait()
        let folder = run.folder.path + "/state/recordings/"
        let name = try #require(run.folder.entries("state/recordings").first)
        let whole = try #require(FileManager.default.contents(atPath: folder + name))
        let frames = try #require(LastMoments.part(in: whole)?.frames.count)
        #expect(frames >= 3)
        for length in stride(from: 0, through: whole.count, by: 7) {
            #expect((LastMoments.part(in: whole.prefix(length))?.frames.count ?? 0) <= frames)
        }
        var random = SeededRandom(seed: 5)
        for _ in 0..<300 {
            var changed = whole
            let place = Int.random(in: 0..<changed.count, using: &random)
            changed[changed.startIndex + place] ^= UInt8.random(in: 1...255, using: &random)
            _ = LastMoments.part(in: changed)
        }
    }
}
