// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import VakaModel

@testable import Vaka

@Suite struct ConsentTests {
    let server: ScriptedServer
    let setup: LifecycleSetup

    init() throws {
        server = try ScriptedServer()
        setup = try LifecycleSetup(server)
    }

    private func start(_ setup: LifecycleSetup) { setup.start { $0.requiresConsent = true } }

    @Test func beforeItNothingIsKept() throws {
        start(setup)
        #expect(setup.track("a").value == .notRunning)
        #expect(setup.folder.entries().isEmpty)
        #expect(try server.requests().isEmpty)
        setup.lifecycle.setConsent(.given)
        #expect(setup.track("b").value == nil)
        setup.stop()
        #expect(try server.tracked() == ["b"])
    }

    @Test func itLastsAcrossLaunches() throws {
        setup.lifecycle.setConsent(.given)
        start(setup)
        setup.track("a")
        setup.stop()
        let next = try LifecycleSetup(server, folder: setup.folder)
        start(next)
        next.track("b")
        next.stop()
        #expect(try server.tracked() == ["a", "b"])
    }

    @Test func withdrawingErasesEverything() throws {
        try server.setDefault(.init(status: 503))
        start(setup)
        setup.lifecycle.setConsent(.given)
        setup.track("on disk")
        setup.lifecycle.flush()
        setup.track("in memory")
        #expect(setup.waiting.count == 1 && setup.folder.entries("state").contains("install_id"))
        let sent = try server.requests().count
        setup.lifecycle.setConsent(.denied)
        #expect(setup.waiting.isEmpty)
        let left = setup.folder.entries("state").filter { setup.folder.entries("state/" + $0).isEmpty }
        #expect(
            Set(left).subtracting([
                "crashes", "runs", "queues", "pending", "recovery.lock", "recovery.lock.next", "queue.lock",
                "queue.lock.next",
            ]) == [
                "consent"
            ])
        #expect(left.count == setup.folder.entries("state").count)
        #expect(try server.requests().count == sent)
        #expect(setup.track("after").value == .notRunning)

        // Nor does a later launch keep anything, whatever its options are.
        let next = try LifecycleSetup(server, folder: setup.folder)
        next.start()
        #expect(next.track("later").value == .notRunning)
        try server.setDefault(.init())
        next.lifecycle.setConsent(.given)
        #expect(next.track("again").value == nil)
        next.stop()
        #expect(try server.tracked().last == "again")
    }

    @Test func withdrawnElsewhere() throws {
        let server = try ScriptedServer()
        let one = try LifecycleSetup(server)
        one.start()
        let other = try LifecycleSetup(server, folder: one.folder)
        other.start()
        other.track("before")
        one.lifecycle.setConsent(.denied)
        other.track("after")
        other.lifecycle.flush()
        #expect(other.track("later").value == .notRunning)
        #expect(try server.tracked() == [])
        #expect(other.waiting.isEmpty && other.folder.entries("state/queues").isEmpty)

        other.lifecycle.setConsent(.given)
        #expect(other.track("again").value == nil)
        other.stop()
        #expect(try server.tracked() == ["again"])
    }

    @Test func withoutTheOptionNobodyIsAsked() throws {
        setup.start()
        #expect(setup.track("a").value == nil)
    }
}
