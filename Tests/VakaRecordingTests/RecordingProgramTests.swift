// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// What a program records, by its service's settings and its own calls.
@Suite struct RecordingProgramTests {
    @Test func recordingIsOffUntilTheServerSettingsTurnItOn() throws {
        let run = try RecordingRun(["screen_recording": false])
        let program = try run.start("request", "screen=one", "flush", "asked", "stop", "exit")
        #expect(try program.wait().status == .exited(0))
        #expect(program.outputSoFar.contains("asked 0\n"))
        #expect(try run.recordings().isEmpty)
        #expect(run.folder.entries("state/recordings").isEmpty)
    }

    @Test func whenTheSettingsTurnItOnItStartsToRecordAtOnce() throws {
        let run = try RecordingRun()
        let program = try run.start("frames=1", "taken=1", "stop", "exit")
        #expect(try program.wait().status == .exited(0))
        let part = try #require(try run.recordings().first)
        #expect(part.privacy == .all && part.quality == .medium && part.userID == "someone")
        #expect(part.release == "app@1.0" && part.sessionID != nil && part.eventID == nil)
        #expect(try RecordingRun.pictures(part).first?.first?.kind == .window)
    }

    /// The program's own tasks may wait for each other, and that is what is to be seen then.
    @Test func aFullConcurrencyPoolStopsNoRecording() throws {
        let run = try RecordingRun(["screen_recording_privacy": "mask_inputs"])
        let program = try run.start("busy", "taken=1", "fill", "frames=3", "taken=1", "stop", "exit")
        #expect(try program.wait(seconds: 180).status == .exited(0))
        #expect(try run.recordings().flatMap(\.frames).count >= 3)
    }

    @Test func aStopEndsTheOpenRecordingAndAddsItsLastPartToTheQueue() throws {
        let run = try RecordingRun(["screen_recording_privacy": "mask_inputs"])
        let program = try run.start(
            "taken=1", "busy", "frames=2", "taken=1", "stop", "start", "taken=1", "stop", "exit")
        #expect(try program.wait().status == .exited(0))
        let parts = try run.recordings()
        // The next start turns it on again: another recording.
        #expect(parts.count == 2 && Set(parts.map(\.recordingID)).count == 2)
        #expect((parts.first?.frames.count ?? 0) >= 2)
        #expect(run.folder.entries("state/recordings").isEmpty)
    }

    @Test func theSettingsControlThePrivacyLevelAndTheFrameQuality() throws {
        let run = try RecordingRun(["screen_recording_privacy": "mask_inputs", "screen_recording_quality": "low"])
        let program = try run.start("taken=1", "stop", "exit")
        #expect(try program.wait().status == .exited(0))
        let part = try #require(try run.recordings().first)
        #expect(part.privacy == .inputs && part.quality == .low)
        let texts = try RecordingRun.pictures(part).last?.compactMap(\.text) ?? []
        #expect(texts.contains("Order now") && texts.contains("Springfield"))
        #expect(!texts.contains { $0.contains("planted") })
    }

    @Test func aScreenViewIsANewScreenAndIsRecordedOutsideOfTheSchedule() throws {
        let run = try RecordingRun()
        let program = try run.start(
            "busy", "taken=1", "screen=checkout", "taken=1", "screen=checkout 2", "taken=1", "screen=checkout 3",
            "taken=1",
            "screen=checkout 4", "taken=1", "stop", "exit")
        #expect(try program.wait().status == .exited(0))
        let frames = try #require(try run.recordings().first?.frames)
        #expect(frames.count { $0.isNewScreen } >= 5)
        // The schedule never takes a second one before a second is over. A slow machine may do so late, but not each time.
        #expect(zip(frames, frames.dropFirst()).contains { $1.isNewScreen && $1.at - $0.at < 990 })
        let text = String(decoding: try ModelCoding.encode(try run.recordings()), as: UTF8.self)
        // The recording does not show the name.
        #expect(!text.contains("checkout"))
    }

    @Test func aServerRuleForNamedScreensMatchesTheName() throws {
        let run = try RecordingRun([
            "screen_recording_masked_screens": ["secret place"], "screen_recording_privacy": "mask_none",
        ])
        let program = try run.start("taken=1", "screen=secret place", "taken=1", "stop", "exit")
        #expect(try program.wait().status == .exited(0))
        let last = try #require(try run.recordings().last.map(RecordingRun.pictures)?.last)
        #expect(last.map(\.marks) == [.masked])
    }

    @Test func aRequestDoesNothingBeforeStartWhileStoppedOrInTheBackground() throws {
        let run = try RecordingRun()
        let program = try run.start(
            "unstarted", "request", "asked", "start", "taken=1", "away", "say=away", "await=\(run.folder.path)/go",
            "asked", "request", "request", "await=\(run.folder.path)/on", "asked", "stop", "request", "asked", "exit")
        try program.waitForOutput("away")
        // More than a second: the schedule asks for nothing either.
        let begun = ContinuousClock.now
        try eventually { ContinuousClock.now - begun > .milliseconds(1200) ? true : nil }
        try Data().write(to: URL(filePath: run.folder.path + "/go"))
        try eventually { program.outputSoFar.split(separator: "\n").count { $0.hasPrefix("asked") } > 1 ? true : nil }
        let then = ContinuousClock.now
        try eventually { ContinuousClock.now - then > .milliseconds(1200) ? true : nil }
        try Data().write(to: URL(filePath: run.folder.path + "/on"))
        #expect(try program.wait().status == .exited(0))
        let asked = program.outputSoFar.split(separator: "\n").filter { $0.hasPrefix("asked") }
        #expect(asked.first == "asked 0")
        #expect(asked.count == 4 && Set(asked.dropFirst()).count == 1)
    }

    @Test func tapsOnWhatIsMaskedAreWithheld() throws {
        let run = try RecordingRun()
        // A button, a password, a masked group's child, the keyboard, a web view.
        let program = try run.start(
            "taken=1", "tap=20,20", "tap=20,110", "tap=30,170", "tap=10,410", "tap=500,150", "request", "frames=2",
            "stop",
            "exit")
        #expect(try program.wait().status == .exited(0))
        let parts = try run.recordings()
        #expect(parts.flatMap(\.taps).map { [$0.x, $0.y] } == [[20, 20]])
        #expect(parts.reduce(0) { $0 + $1.withheldTaps } == 4)
    }

    @Test func clearScreenRecordingsDeletesEveryStoredOneAndWorksBeforeStart() throws {
        let run = try RecordingRun(default: .init(status: 503))
        let program = try run.start("usual", "busy", "taken=2", "stop", "exit")
        #expect(try program.wait().status == .exited(0))
        #expect(try run.stored().contains("\"kind\":\"recording\""))
        let other = try run.start("usual", "unstarted", "clear", "exit")
        #expect(try other.wait().status == .exited(0))
        let left = try run.stored()
        #expect(!left.contains("\"kind\":\"recording\"") && left.contains("\"kind\":\"session\""))
        // What is being recorded goes, too, and the recording goes on anew.
        let third = try run.start("usual", "busy", "taken=2", "clear", "taken=1", "kill")
        _ = try third.wait()
        try run.server.setDefault(.init())
        let fourth = try run.start("usual", "flush", "stop", "exit")
        #expect(try fourth.wait().status == .exited(0))
        let parts = try run.recordings().filter { $0.eventID != nil }
        #expect(parts.count == 1 && parts.first?.frames.first?.at == 0)
    }
}
