// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import VakaModel

@testable import Vaka
@testable import VakaRecording

/// What a recorder does while its host is asked.
@Suite struct RecorderTests {
    private static let masking: [String: JSONValue] = ["screen_recording_masked_screens": ["secret"]]

    private static func marks(_ parts: [Recording]) throws -> [[RecordingDrawing.Marks]] {
        try parts.flatMap { try RecordingRun.pictures($0) }.map { $0.map(\.marks) }
    }

    /// The names that the host and the program have for one screen, before and while the host is asked.
    @Test(arguments: [
        ("other", "secret", nil), (nil, "secret", "other"), ("secret", "other", nil), ("other", "other", "secret"),
    ] as [(String?, String, String?)])
    func aScreenIsMaskedByEachOfItsNames(tree: String?, before: String, during: String?) throws {
        let setup = try RecorderSetup(Self.masking)
        let host = GatedHost()
        setup.recorder.attach(host)
        setup.recorder.started(setup.link)
        setup.recorder.screenChanged(before, setup.link)
        // One was begun maybe before the name.
        try setup.answer(host, "first", screen: tree)
        try eventually { host.count == 2 ? true : nil }
        if let during { setup.recorder.screenChanged(during, setup.link) }
        try setup.answer(host, "second", screen: tree)
        setup.recorder.queue.sync {}
        try eventually { host.count == 3 ? true : nil }
        let parts = try setup.stop()
        _ = host.answer("late")
        #expect(try Self.marks(parts).last == [.masked])
        #expect(try !RecorderSetup.texts(parts).contains(["second"]))
    }

    @Test func aScreenOfNoListIsShown() throws {
        let setup = try RecorderSetup(Self.masking)
        let host = GatedHost()
        setup.recorder.attach(host)
        setup.recorder.started(setup.link)
        setup.recorder.screenChanged("other", setup.link)
        try setup.answer(host, "first", screen: "other")
        try eventually { host.count == 2 ? true : nil }
        #expect(try RecorderSetup.texts(setup.stop()) == [["first"]])
        _ = host.answer("late")
    }

    @Test func aNameThatCameBeforeTheRecorderMasks() throws {
        let setup = try RecorderSetup(Self.masking)
        setup.client.screen("secret")
        let host = GatedHost()
        setup.recorder.attach(host)
        setup.client.recordings.start(setup.recorder, setup.client)
        try setup.answer(host, "first")
        try eventually { host.count == 2 ? true : nil }
        setup.client.recordings.stopped()
        _ = host.answer("late")
        let kept = setup.client.intake.withLock { $0.take() }.items
        let parts = try kept.compactMap { item -> Recording? in
            guard case .recording(let item) = item else { return nil }
            return try ModelCoding.decode(Recording.self, from: ModelCoding.encode(item.payload))
        }
        #expect(try Self.marks(parts) == [[.masked]])
    }
}
