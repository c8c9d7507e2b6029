// SPDX-License-Identifier: Apache-2.0
import Delivery
import Dispatch
import TestSupport
import Testing
import VakaModel

@testable import Vaka

/// The rules of stopping, one by one.
@Suite struct StopTests {
    @Test func fromTheCallOnNothingIsCollected() throws {
        let server = try ScriptedServer()
        let setup = try LifecycleSetup(server)
        setup.start()
        setup.track("before")
        setup.lifecycle.stop()
        let refused = setup.track("after")
        #expect(refused.value?.code == -4)
        #expect(refused.count == 1)
        setup.stop()
        #expect(try server.tracked() == ["before"])
        #expect(setup.waiting.isEmpty)
    }

    @Test func beforeTheFirstStartACallIsRefused() throws {
        let server = try ScriptedServer()
        let setup = try LifecycleSetup(server)
        #expect(setup.track("a").value == .notRunning)
    }

    @Test func whatIsKeptIsTold() throws {
        let server = try ScriptedServer()
        let setup = try LifecycleSetup(server)
        setup.start()
        #expect(setup.track("a").value == nil)
    }

    @Test func theSessionEnds() throws {
        let server = try ScriptedServer()
        let setup = try LifecycleSetup(server)
        setup.start { $0.sessionTracking = true }
        setup.clock.advance(.seconds(60))
        setup.stop()
        #expect(try server.sessions().map(\.status) == [.ok, .exited])
        #expect(try server.sessions().last?.duration == 60)
    }

    @Test func crashReportsGoFirst() throws {
        let server = try ScriptedServer()
        let setup = try LifecycleSetup(server)
        setup.start()
        let queue = try #require(setup.lifecycle.client).outbox.queue
        try queue.add([BatchItem(kind: .track, id: "t", payload: ["name": "older"])], time: setup.clock.time)
        let crash = Event(eventID: "01", type: .crash, timestamp: setup.clock.time, level: .fatal)
        try queue.add([try BatchItem(event: crash)], time: setup.clock.time)
        setup.track("newest")
        setup.stop()
        #expect(try server.requests().map { $0.items.first?["kind"]?.string } == ["event", "track", "track"])
        #expect(try server.tracked() == ["older", "newest"])
    }

    @Test func whatDidNotLeaveGoesOutAfterTheNextStart() throws {
        let server = try ScriptedServer(default: .init(status: 503))
        let setup = try LifecycleSetup(server)
        setup.start()
        setup.track("a")
        setup.stop()
        #expect(setup.waiting.count == 1)
        try server.setDefault(.init())
        setup.start()
        #expect(setup.waiting.isEmpty)
        #expect(try server.tracked() == ["a", "a"])
    }

    @Test func theReportComesOnceAndOnTheQueueThatWasNamed() throws {
        let server = try ScriptedServer()
        let setup = try LifecycleSetup(server)
        setup.start()
        let first = Answer<Void>()
        setup.lifecycle.stop { first.tell(()) }
        _ = first.value
        setup.scheduler.ring()
        setup.stop()
        #expect(first.count == 1)

        let key = DispatchSpecificKey<String>()
        let queue = DispatchQueue(label: "own")
        queue.setSpecific(key: key, value: "own")
        let answer = Answer<String?>()
        // The process's own lifecycle was not started.
        Vaka.stop(on: queue) { answer.tell(DispatchQueue.getSpecific(key: key)) }
        #expect(answer.value == "own")
    }

    @Test func whereNothingRunsTheReportComesAtOnce() throws {
        let server = try ScriptedServer()
        let setup = try LifecycleSetup(server)
        setup.stop()
        #expect(setup.scheduler.alarmWaits.isEmpty)
    }

    /// A request that is under way is let come to its end, and no other begins.
    @Test func itLastsFiveSecondsAtMost() throws {
        let server = try ScriptedServer(answers: [.init(delay: 1)])
        let setup = try LifecycleSetup(server, sendsInBackground: true)
        setup.start { $0.maxBatchSize = 1 }
        setup.track("first")
        try server.waitForRequests(1)
        setup.track("second")
        let report = Answer<Void>()
        setup.lifecycle.stop { report.tell(()) }
        #expect(setup.scheduler.alarmWaits == [.seconds(5)])
        #expect(report.count == 0)
        setup.scheduler.ring()
        _ = report.value
        setup.scheduler.finishSending()
        #expect(try server.tracked() == ["first"])
        // The answer to it counted.
        #expect(setup.waiting.count == 1)
        #expect(report.count == 1)
        setup.scheduler.runLater()
        setup.scheduler.finishSending()
        #expect(try server.requests().count == 1)
    }

    @Test func aSecondStopJoinsTheFirst() throws {
        let server = try ScriptedServer(answers: [.init(delay: 0.5)])
        let setup = try LifecycleSetup(server, sendsInBackground: true)
        setup.start()
        setup.track("a")
        let (first, second) = (Answer<Void>(), Answer<Void>())
        setup.lifecycle.stop { first.tell(()) }
        setup.lifecycle.stop { second.tell(()) }
        _ = (first.value, second.value)
        #expect(setup.scheduler.alarmWaits.count == 1)
        #expect(try server.tracked() == ["a"])
    }

    @Test func aStartBeforeTheReportRunsAfterIt() throws {
        let server = try ScriptedServer(answers: [.init(delay: 0.5)])
        let setup = try LifecycleSetup(server, sendsInBackground: true)
        setup.start(key: "vk_a")
        setup.track("old")
        let reportedWhileStopped = Answer<Bool>()
        setup.lifecycle.stop { reportedWhileStopped.tell(setup.lifecycle.client == nil) }
        setup.start(key: "vk_b")
        #expect(setup.lifecycle.client == nil)
        // It waits with what comes meanwhile.
        #expect(setup.track("new").value == nil)
        #expect(reportedWhileStopped.value)
        setup.stop()
        #expect(try server.tracked() == ["old", "new"])
        #expect(try server.keys() == ["vk_a", "vk_b"])
    }

    @Test func theLastWordCounts() throws {
        let server = try ScriptedServer(answers: [.init(delay: 0.5)])
        let setup = try LifecycleSetup(server, sendsInBackground: true)
        setup.start()
        setup.track("a")
        setup.lifecycle.stop()
        setup.start()
        let refused = setup.track("b")
        setup.stop()
        #expect(setup.lifecycle.client == nil)
        #expect(refused.value == .notRunning)
    }

    @Test func afterTheReportAFlushSendsNothing() throws {
        let server = try ScriptedServer(default: .init(status: 503))
        let setup = try LifecycleSetup(server)
        setup.lifecycle.flush()
        setup.start()
        setup.track("a")
        let client = try #require(setup.lifecycle.client)
        setup.stop()
        let before = try server.requests().count
        setup.lifecycle.flush()
        client.flush()
        #expect(client.flush(timeout: .seconds(1)) == false)
        setup.scheduler.runLater()
        #expect(try server.requests().count == before)
    }
}
