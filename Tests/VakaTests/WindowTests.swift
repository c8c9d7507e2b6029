// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import Vaka

/// Sessions of programs that live for weeks.
@Suite struct WindowTests {
    @Test func oneWindowAfterTheOther() throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url) {
            $0.sessionTracking = true
            $0.sessionMode = .window(.seconds(3600))
        }
        #expect(setup.scheduler.waits.contains(.seconds(3600)))
        setup.client.countRequest(.ok)
        setup.client.countRequest(.ok)
        setup.client.countRequest(.errored)
        // Not for this mode.
        setup.client.setActive(false)
        setup.clock.advance(.seconds(3600))
        setup.scheduler.runLater()
        setup.client.capture(Unexpected(), stack: CallStack())
        setup.client.countRequest(.cancelled)
        setup.clock.advance(.seconds(600))
        setup.client.end(within: .seconds(10))
        let sessions = try server.sessions()
        #expect(sessions.map(\.status) == [.ok, .exited, .ok, .errored])
        #expect(sessions.map(\.window) == [3600, 3600, 3600, 3600])
        #expect(sessions.map(\.duration) == [nil, 3600, nil, 600])
        #expect(sessions.map(\.requests) == [nil, ["ok": 2, "errored": 1], nil, ["cancelled": 1]])
        #expect(Set(sessions.map(\.id)).count == 2)
    }

    @Test func outcomesAreBounded() throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url) { $0.sessionTracking = true }
        for number in 0..<100 { setup.client.countRequest(.init(rawValue: "outcome \(number)")) }
        setup.client.end(within: .seconds(10))
        let requests = try #require(try server.sessions().last?.requests)
        #expect(requests.count == 32)
        #expect(requests["other"] == 69)
    }

    @Test func aCrashedWindowHasItsCounts() throws {
        let server = try ScriptedServer()
        let run = try ProgramRun()
        let crash = try run.start(server, "window=600", "requests=ok", "crash").wait()
        #expect(crash.status == .signalled(SIGSEGV))
        _ = try run.start(server, "flush=30").wait()
        let session = try #require(try server.sessions().first { $0.status == .crashed })
        #expect(session.window == 600)
        #expect(session.requests == ["ok": 1])
    }
}
