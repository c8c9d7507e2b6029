// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import Vaka
@testable import VakaRecording

/// What a recorder does while its host is asked. Nothing here waits for the concurrency pool, which other tests of the process
/// may have filled.
struct RecorderTests {
    private static let masking: [String: JSONValue] = ["screen_recording_masked_screens": ["secret"]]

    private static func marks(_ parts: [Recording]) throws -> [[RecordingDrawing.Marks]] {
        try parts.flatMap { try RecordingRun.pictures($0) }.map { $0.map(\.marks) }
    }

    /// The names that the host and the program have for one screen, before and while the host is asked.
    @Test(
        arguments: [
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

    @Test(arguments: ["host", "start", "settings"]) func aHostThatNeverAnswersEndsNoOtherRecording(by: String) throws {
        let setup = try RecorderSetup()
        let silent = GatedHost()
        let host = by == "host" ? GatedHost() : silent
        setup.recorder.attach(silent)
        setup.recorder.started(setup.link)
        try eventually { silent.count == 1 ? true : nil }
        switch by {
        case "host": setup.recorder.attach(host)
        case "start":
            #expect(try setup.stop().isEmpty)
            setup.recorder.started(setup.link)
        default:
            let document = try ModelCoding.encode(
                ["settings": ["screen_recording": true, "screen_recording_privacy": "mask_inputs"] as JSONValue])
            let settings = try #require(ServerSettings(document: document))
            setup.client.state.withLock { $0.settings = settings }
            setup.recorder.settingsChanged(setup.link)
        }
        try eventually { host.count == (host === silent ? 2 : 1) ? true : nil }
        // The first answer comes after all, and is of no use.
        #expect(silent.answer("late"))
        let before = host.count
        try setup.answer(host, "asked anew")
        try eventually { host.count > before ? true : nil }
        #expect(try RecorderSetup.texts(setup.stop()) == [["asked anew"]])
        _ = host.answer("later still")
    }

    /// A host that asks its own threads would otherwise wait for who waits for it.
    @Test func aHostMayStopTheRecorderWhileItIsAskedWhetherItIsActive() throws {
        let setup = try RecorderSetup()
        let host = GatedHost { [recorder = setup.recorder, link = setup.link] in
            recorder.tap(at: ScreenPoint(x: 1, y: 1))
            recorder.stopped(link)
        }
        setup.recorder.attach(host)
        setup.recorder.started(setup.link)
        try eventually { host.count == 1 ? true : nil }
        #expect(host.answer("late"))
        #expect(try setup.stop().isEmpty)
    }

    @Test func anotherNameInTheHostsTreeIsANewScreen() throws {
        let setup = try RecorderSetup()
        let host = GatedHost()
        setup.recorder.attach(host)
        setup.recorder.started(setup.link)
        for (number, screen) in ["cart", "cart", "checkout", nil].enumerated() {
            try setup.answer(host, "text \(number)", screen: screen)
            try eventually { host.count == number + 2 ? true : nil }
        }
        let frames = try setup.stop().flatMap(\.frames)
        _ = host.answer("late")
        #expect(frames.map(\.isNewScreen) == [true, false, true, true])
    }

    @Test func aRequestReturnsAtOnceFromAnyThread() throws {
        let setup = try RecorderSetup()
        let (isAsked, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let host = GatedHost {
            isAsked.signal()
            mayGoOn.wait()
            mayGoOn.signal()
        }
        setup.recorder.attach(host)
        setup.recorder.started(setup.link)
        try #require(isAsked.wait(timeout: .now() + 60) == .success)
        // While the host keeps its caller waiting.
        let requests = DispatchGroup()
        for _ in 0..<8 {
            DispatchQueue.global().async(group: requests) { [recorder = setup.recorder] in recorder.request() }
        }
        #expect(requests.wait(timeout: .now() + 60) == .success && host.count == 0)
        mayGoOn.signal()
        try setup.answer(host, "only")
        // The requests are heeded still.
        try eventually { host.count == 2 ? true : nil }
        #expect(try RecorderSetup.texts(setup.stop()) == [["only"]])
        _ = host.answer("late")
    }

    @Test func aRequestDoesNotWaitForTheNextSecond() throws {
        let setup = try RecorderSetup()
        let (host, recorder) = (GatedHost(), setup.recorder)
        recorder.attach(host)
        recorder.started(setup.link)
        try setup.answer(host, "first")
        let planned = try eventually {
            recorder.queue.sync { recorder.state.withLock { $0.asked == nil ? $0.planned : nil } }
        }
        recorder.request()
        // It is asked for already, or planned for an earlier moment.
        #expect(
            recorder.queue.sync {
                recorder.state.withLock { $0.asked != nil || $0.planned.map { $0 < planned } == true }
            })
        try eventually { host.count == 2 ? true : nil }
        #expect(try RecorderSetup.texts(setup.stop()) == [["first"]])
        _ = host.answer("late")
    }

    @Test func clearingMayBeCalledFromSeveralThreadsAtOnce() throws {
        let setup = try RecorderSetup()
        let (host, recorder, link) = (GatedHost(), setup.recorder, setup.link)
        recorder.attach(host)
        recorder.started(link)
        try setup.answer(host, "before")
        try eventually { host.count == 2 ? true : nil }
        DispatchQueue.concurrentPerform(iterations: 8) { _ in recorder.cleared(link) }
        // It goes on: the last of those who ask is answered, too, and asks again.
        let count = host.count
        try eventually {
            while host.answer("after") {}
            return host.count > count + 1 ? true : nil
        }
        let texts = try RecorderSetup.texts(setup.stop())
        while host.answer("late") {}
        #expect(!texts.isEmpty && texts.allSatisfy { $0 == ["after"] })
    }

    @Test func partsAreOfOneUserEach() throws {
        let setup = try RecorderSetup()
        setup.client.identify(Vaka.User(userId: "ann"))
        let host = GatedHost()
        setup.recorder.attach(host)
        setup.recorder.started(setup.link)
        try setup.answer(host, "of ann")
        try eventually { host.count == 2 ? true : nil }
        // Whose screen the host has drawn is not known.
        setup.client.identify(Vaka.User(email: "bob@example.com", isPIIHashed: false))
        try setup.answer(host, "of either")
        try eventually { host.count == 3 ? true : nil }
        try setup.answer(host, "of bob")
        try eventually { host.count == 4 ? true : nil }
        let parts = try setup.stop()
        _ = host.answer("late")
        #expect(parts.map(\.userID) == ["ann", "bob@example.com"])
        #expect(parts.map(\.part) == [0, 1] && Set(parts.map(\.recordingID)).count == 1)
        #expect(try RecorderSetup.texts(parts) == [["of ann"], ["of bob"]])
    }

    /// A program may change the user, and ask for a frame, all the time.
    @Test func aCaptureThatIsOfNoUseIsPaidForToo() throws {
        let setup = try RecorderSetup()
        setup.client.identify(Vaka.User(userId: "ann"))
        let host = GatedHost()
        setup.recorder.attach(host)
        setup.recorder.started(setup.link)
        try eventually { host.count == 1 ? true : nil }
        setup.client.identify(Vaka.User(userId: "bob"))
        usleep(150_000)
        try setup.answer(host, "of either")
        // The answer is taken on the queue, by and by; then more was spent than a second has.
        try eventually {
            setup.recorder.queue.sync { setup.recorder.state.withLock { $0.schedule.budget.estimate } }
                >= .milliseconds(150) ? true : nil
        }
        let parts = try setup.stop()
        #expect(parts.flatMap(\.frames).isEmpty)
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
