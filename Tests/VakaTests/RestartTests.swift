// SPDX-License-Identifier: Apache-2.0
import Delivery
import Synchronization
import TestSupport
import Testing
import VakaModel

@testable import Vaka

/// The rules of restarting, one by one.
@Suite struct RestartTests {
    @Test func withAnotherUser() throws {
        let server = try ScriptedServer()
        let setup = try LifecycleSetup(server)
        setup.start(user: .init(userId: "one")) { $0.sessionTracking = true }
        setup.track("a")
        #expect(setup.restart(user: .init(userId: "two", displayName: "Two")))
        setup.track("b")
        setup.stop()
        let users = try server.requests().flatMap(\.items).filter { $0["kind"] == "track" }
            .map { $0["payload"]?["user_id"]?.string }
        #expect(users == ["one", "two"])
        let sessions = try server.sessions()
        #expect(sessions.map(\.status) == [.ok, .exited, .ok, .exited])
        #expect(Set(sessions.map(\.id)).count == 2)
    }

    @Test func nilIsWhatTheMostRecentStartHad() throws {
        let server = try ScriptedServer()
        let setup = try LifecycleSetup(server)
        setup.start(key: "vk_b", user: .init(userId: "one"))
        #expect(setup.restart())
        setup.track("a")
        // The user is the one named since.
        setup.lifecycle.identify(.init(userId: "two"))
        #expect(setup.restart())
        setup.track("b")
        setup.lifecycle.identify(nil)
        #expect(setup.restart())
        setup.track("c")
        setup.stop()
        let items = try server.requests().flatMap(\.items)
        #expect(items.map { $0["payload"]?["user_id"] } == ["one", "two", .null])
        #expect(Set(try server.keys()) == ["vk_b"])
    }

    @Test func whereNothingRunsItOnlyStarts() throws {
        let server = try ScriptedServer()
        let setup = try LifecycleSetup(server)
        #expect(!setup.restart())
        #expect(setup.restart(options: setup.options()))
        setup.stop()
        #expect(setup.restart())
        #expect(setup.scheduler.alarmWaits.count == 1)
        setup.track("a")
        setup.stop()
        #expect(try server.tracked() == ["a"])
    }

    @Test func whatComesMeanwhileWaitsInItsOrder() throws {
        let server = try ScriptedServer(answers: [.init(delay: 0.5)])
        let setup = try LifecycleSetup(server, sendsInBackground: true)
        setup.start()
        setup.track("old")
        let started = Answer<Bool>()
        setup.lifecycle.restart(user: nil, options: setup.options(key: "vk_b")) { started.tell($0) }
        let before = Timestamp.now
        for number in 0..<20 { setup.track("\(number)") }
        setup.lifecycle.collect { $0.setTag("late", "yes") }
        setup.lifecycle.collect { $0.capture(message: "said", level: .info) }
        #expect(started.value)
        setup.track("new")
        setup.stop()
        let tracked = try server.tracked()
        #expect(tracked == ["old"] + (0..<20).map(String.init) + ["new"])
        let event = try #require(try server.events().first)
        #expect(event.tags == ["late": "yes"])
        // The time when it came, not that of the start: the clients' clock is the test's.
        #expect(event.timestamp >= before)
        #expect(Set(try server.keys()) == ["vk_a", "vk_b"])
    }

    @Test func whereTheStartFailsWhatWaitedIsRefused() throws {
        let server = try ScriptedServer(answers: [.init(delay: 0.5)])
        let setup = try LifecycleSetup(server, sendsInBackground: true)
        setup.start()
        setup.track("old")
        let started = Answer<Bool>()
        setup.lifecycle.restart(user: nil, options: setup.options(key: "no key")) { started.tell($0) }
        let refused = setup.track("new")
        #expect(!started.value)
        #expect(refused.value?.code == -4)
        #expect(setup.lifecycle.client == nil)
        // Nor with what is switched off.
        #expect(!setup.restart(options: setup.options { $0.enabled = false }))
        #expect(setup.track("newer").value?.code == -4)
        #expect(try server.tracked() == ["old"])
    }

    @Test func onlySoMuchWaits() throws {
        let server = try ScriptedServer(answers: [.init(delay: 0.5)])
        let setup = try LifecycleSetup(server, sendsInBackground: true)
        setup.start { $0.maxBatchSize = 5000 }
        setup.track("old")
        let started = Answer<Bool>()
        setup.lifecycle.restart(user: nil, options: nil) { started.tell($0) }
        let answers = (0..<1003).map { setup.track("\($0)") }
        #expect(answers[0].value == .tooMany && answers[2].value == .tooMany && answers[3].value == nil)
        #expect(started.value)
        setup.stop()
        #expect(try server.tracked().count == 1001)
        #expect(try server.requests().compactMap { $0.dropped["memory_overflow"] } == [3])
    }

    /// Who tells more than one thread can take in does not keep the start from its end.
    @Test func whatComesWithoutEndIsGivenUp() throws {
        let server = try ScriptedServer(answers: [.init(delay: 0.2)])
        let setup = try LifecycleSetup(server, sendsInBackground: true)
        setup.start()
        setup.track("old")
        let started = Answer<Bool>()
        setup.lifecycle.restart(user: nil, options: nil) { started.tell($0) }
        let given = Answer<Vaka.APIError?>()
        Self.tellAgain(setup.lifecycle, given)
        #expect(started.value)
        #expect(given.value == .tooMany)
        setup.stop()
        #expect(try server.requests().compactMap { $0.dropped["memory_overflow"] } == [1])
    }

    private static func tellAgain(_ lifecycle: Lifecycle, _ given: Answer<Vaka.APIError?>) {
        lifecycle.collect({ if let error = $0 { given.tell(error) } }) { _ in
            if lifecycle.client == nil { tellAgain(lifecycle, given) }
            return nil
        }
    }

    @Test func duringAStartThatFails() throws {
        let server = try ScriptedServer()
        let setup = try LifecycleSetup(server)
        let started = Answer<Bool>()
        let good = setup.options()
        let running = Mutex<Lifecycle?>(nil)
        let lifecycle = Lifecycle { start in
            guard start.options.key == good.key else {
                running.withLock { $0 }?.restart(user: nil, options: good) { started.tell($0) }
                throw CancellationError()
            }
            return try Client(options: start.options, scheduler: setup.scheduler, timekeeper: setup.clock)
        }
        running.withLock { $0 = lifecycle }
        lifecycle.start(Lifecycle.Start(options: setup.options(key: "vk_bad"), user: nil))
        #expect(started.value)
        #expect(lifecycle.client?.options.key == good.key)
        running.withLock { $0 = nil }
    }

    @Test func whatWasQueuedUnderAKeyGoesOutWithIt() throws {
        let server = try ScriptedServer(default: .init(status: 503))
        let setup = try LifecycleSetup(server)
        setup.start(key: "vk_old")
        setup.track("old")
        #expect(setup.restart(options: setup.options(key: "vk_new")))
        setup.track("new")
        #expect(setup.waiting.count == 1)
        try server.setDefault(.init())
        setup.stop()
        let requests = try server.requests().suffix(2)
        #expect(requests.map { $0.headers["authorization"] } == ["Bearer vk_new", "Bearer vk_old"])
        #expect(requests.map { $0.items.first?["payload"]?["name"] } == ["new", "old"])
        #expect(setup.waiting.isEmpty)
    }

    @Test func alsoAfterARelaunch() throws {
        let server = try ScriptedServer(default: .init(status: 503))
        let first = try LifecycleSetup(server)
        first.start(key: "vk_old")
        first.track("old")
        first.stop()
        try server.setDefault(.init())
        // The old key is refused by now: that is no hindrance to the new one, and what it has to send stays.
        try server.add(.init(status: 401))
        let next = try LifecycleSetup(server, folder: first.folder)
        next.start(key: "vk_new")
        next.track("new")
        next.stop()
        #expect(next.waiting.count == 1)
        let last = try LifecycleSetup(server, folder: first.folder)
        last.start(key: "vk_new")
        #expect(last.waiting.isEmpty)
        let accepted = try server.requests().last
        #expect(accepted?.headers["authorization"] == "Bearer vk_old")
        #expect(accepted?.items.first?["payload"]?["name"] == "old")
    }
}
