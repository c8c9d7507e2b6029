// SPDX-License-Identifier: Apache-2.0
import Delivery
import TestSupport
import Testing
import VakaModel

@testable import Vaka

/// What the service wants of the program.
@Suite struct SettingsTests {
    let server: ScriptedServer
    let setup: LifecycleSetup

    init() throws {
        server = try ScriptedServer()
        setup = try LifecycleSetup(server)
    }

    private func serve(_ settings: JSONValue, version: String) throws {
        try server.setSettings(["version": .string(version), "settings": settings])
    }

    @Test func switchesApplyAtOnceOrAtTheNextStart() throws {
        setup.start { $0.sessionTracking = true }
        #expect(setup.track("a").value == nil)
        try serve(["event_logging": false, "session_tracking": false, "unknown": [1, 2]], version: "1")
        setup.lifecycle.flush()
        // Asked at the start already, and not again within the hour.
        #expect(setup.track("b").value == nil)
        setup.clock.advance(.seconds(3601))
        setup.lifecycle.flush()
        #expect(setup.track("c").value?.code == -4)
        #expect(setup.restart())
        #expect(setup.track("d").value?.code == -4)
        setup.stop()
        #expect(try server.tracked() == ["a", "b"])
        // The session that ran has ended, and there was no other.
        #expect(try server.sessions().map(\.status) == [.ok, .exited])

        // A later launch heeds them before it has asked; then the service takes them back.
        let next = try LifecycleSetup(server, folder: setup.folder)
        try serve([:], version: "2")
        next.start()
        #expect(next.track("e").value == nil)
        next.stop()
        #expect(try server.tracked().last == "e")
    }

    @Test func ratesAndSalt() throws {
        try serve(
            ["track_sample_rate": 0, "pseudonym_salt": "salt of a project", "error_sample_rate": 7], version: "1")
        setup.start()
        #expect(setup.track("a").value == nil)
        #expect(setup.restart())
        #expect(setup.track("b").value == .sampled)
        setup.lifecycle.identify(.init(email: "mail@me.com"))
        setup.lifecycle.collect { $0.capture(message: "hello", level: .info) }
        setup.stop()
        let event = try #require(try server.events().last)
        #expect(event.user?["email_hash"] == .string(Digest.hmac(key: "salt of a project", "mail@me.com")))
    }

    @Test func theyAreAskedForWithTheKeyAndTheVersion() throws {
        try serve([:], version: "1")
        setup.start(key: "vk_a")
        setup.clock.advance(.seconds(3601))
        setup.lifecycle.flush()
        let asked = try server.settingsRequests()
        #expect(asked.map { $0.headers["authorization"] } == ["Bearer vk_a", "Bearer vk_a"])
        #expect(asked.map { $0.headers["if-none-match"] } == [nil, "\"1\""])
        #expect(asked.allSatisfy { $0.method == "GET" && $0.path == "/api/v1/sdk-settings" })
    }

    @Test func whatIsNoSettingsChangesNothing() throws {
        try server.setSettings("<html>")
        setup.start()
        #expect(setup.track("a").value == nil)
        setup.stop()
        #expect(try server.tracked() == ["a"])
    }
}
