// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import VakaModel

@testable import Vaka

@Suite struct SessionTests {
    func sessions(_ server: ScriptedServer) throws -> [Session] {
        try server.requests().flatMap(\.items).filter { $0["kind"] == "session" }.map { item in
            try ModelCoding.decode(Session.self, from: ModelCoding.encode(item["payload"]))
        }
    }

    func setup(_ server: ScriptedServer) throws -> ClientSetup {
        try ClientSetup(url: server.url) { $0.sessionTracking = true }
    }

    @Test func fromStartToEnd() throws {
        let server = try ScriptedServer()
        let setup = try setup(server)
        let start = setup.clock.time
        setup.client.flush()
        setup.clock.advance(.seconds(90))
        setup.client.end(within: .seconds(2))
        let sessions = try sessions(server)
        #expect(sessions.map(\.status) == [.ok, .exited])
        #expect(Set(sessions.map(\.id)).count == 1)
        #expect(sessions[1].started == start)
        #expect(sessions[1].duration == 90)
        #expect(sessions[1].release == "app@1.0")
        // Each state is an item of its own, and the same however often it is sent.
        #expect(try server.requests().flatMap(\.itemIDs) == ["\(sessions[0].id)-ok", "\(sessions[0].id)-exited"])
    }

    @Test func withHandledErrorsItIsErrored() throws {
        let server = try ScriptedServer()
        let setup = try setup(server)
        setup.client.capture(Unexpected(), stack: CallStack())
        setup.client.capture(message: "no error", level: .error)
        setup.client.end(within: .seconds(2))
        let last = try sessions(server).last
        #expect(last?.status == .errored)
        #expect(last?.errors == 1)
    }

    @Test func outOfUseForLongItEndsWhenThatBegan() throws {
        let server = try ScriptedServer()
        let setup = try setup(server)
        setup.clock.advance(.seconds(60))
        setup.client.setActive(false)
        #expect(setup.scheduler.waits.contains(.seconds(30)))
        setup.clock.advance(.seconds(30))
        setup.scheduler.runLater()
        #expect(try sessions(server).map(\.status) == [.ok, .exited])
        #expect(try sessions(server).last?.duration == 60)

        setup.clock.advance(.seconds(500))
        setup.client.setActive(true)
        setup.client.end(within: .seconds(2))
        let sessions = try sessions(server)
        #expect(sessions.map(\.status) == [.ok, .exited, .ok, .exited])
        #expect(Set(sessions.map(\.id)).count == 2)
        #expect(sessions[3].duration == 0)
    }

    @Test func outOfUseForAMomentItGoesOn() throws {
        let server = try ScriptedServer()
        let setup = try setup(server)
        setup.client.setActive(false)
        setup.clock.advance(.seconds(29))
        setup.client.setActive(true)
        setup.clock.advance(.seconds(10))
        setup.scheduler.runLater()
        setup.client.end(within: .seconds(2))
        #expect(try sessions(server).map(\.status) == [.ok, .exited])
        #expect(try sessions(server).last?.duration == 39)
    }
}
