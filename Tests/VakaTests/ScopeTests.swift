// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import Vaka

@Suite struct ScopeTests {
    func setup(_ server: ScriptedServer) throws -> ClientSetup {
        let setup = try ClientSetup(url: server.url)
        setup.client.setTag("a", "global")
        setup.client.setTag("b", "global")
        setup.client.identify(.init(userId: "global user"))
        setup.client.addBreadcrumb(category: "c", message: "global", level: .info, data: [:])
        return setup
    }

    @Test func aReportHasTheGlobalContextAndThatOfItsScopes() throws {
        let server = try ScriptedServer()
        let setup = try setup(server)
        Vaka.withScope("outer") { outer in
            Vaka.setTag("a", "outer")
            outer.setTag("c", "outer")
            setup.clock.advance(.seconds(1))
            setup.client.addBreadcrumb(category: "c", message: "outer", level: .info, data: [:], scope: outer)
            Vaka.withScope("inner") { inner in
                inner.setTag("b", nil)
                inner.identify("inner user")
                setup.clock.advance(.seconds(1))
                setup.client.addBreadcrumb(category: "c", message: "inner", level: .info, data: [:], scope: inner)
                setup.clock.advance(.seconds(1))
                setup.client.addBreadcrumb(category: "c", message: "global again", level: .info, data: [:])
                setup.client.capture(message: "inner", level: .info)
                setup.client.track("t", [:])
            }
            setup.client.capture(message: "outer", level: .info)
        }
        setup.client.capture(message: "global", level: .info)
        setup.client.flush()

        let events = try server.events()
        #expect(
            events.map(\.tags) == [
                ["a": "outer", "c": "outer"], ["a": "outer", "b": "global", "c": "outer"],
                ["a": "global", "b": "global"],
            ])
        #expect(events.map { $0.user?["id"] } == ["inner user", "global user", "global user"])
        #expect(
            events.map { $0.breadcrumbs.compactMap(\.message) } == [
                ["global", "outer", "inner", "global again"], ["global", "outer", "global again"],
                ["global", "global again"],
            ])
        #expect(events.map { $0.contexts["scope"]?["name"] } == ["inner", "outer", nil])
        let track = try #require(try server.requests().flatMap(\.items).first { $0["kind"] == "track" })
        #expect(track["payload"]?["user_id"] == "inner user")
    }

    @Test func nobodyIsAUserToo() throws {
        let server = try ScriptedServer()
        let setup = try setup(server)
        Vaka.withScope { scope in
            scope.identify(nil)
            setup.client.capture(message: "m", level: .info)
        }
        setup.client.flush()
        #expect(try server.events().map(\.user) == [nil])
    }

    @Test func childTasksInheritAndOthersDoNot() async throws {
        await Vaka.withScope("outer") { outer in
            async let child = Vaka.currentScope
            #expect(await child === outer)
            let made = Task { Vaka.currentScope }
            #expect(await made.value === outer)
            let detached = Task.detached { Vaka.currentScope }
            #expect(await detached.value == nil)
            let free = Vaka.withoutScope { Task { Vaka.currentScope } }
            #expect(await free.value == nil)
            #expect(Vaka.currentScope === outer)
            #expect(throws: Unexpected.self) { try Vaka.withScope { _ in throw Unexpected() } }
            #expect(Vaka.currentScope === outer)
        }
        #expect(Vaka.currentScope == nil)
    }

    @Test func aTailKeepsTheLastInOrder() {
        var tail = BreadcrumbTail()
        func breadcrumb(_ number: Int) -> Breadcrumb {
            Breadcrumb(timestamp: Timestamp(milliseconds: Int64(number)), category: nil, message: "\(number)")
        }
        for number in 1...300 {
            tail.add(breadcrumb(number))
            let expected = (max(1, number - 127)...number).map { "\($0)" }
            #expect(tail.inOrder.compactMap(\.message) == expected)
        }
        var other = BreadcrumbTail()
        for number in [250, 260, 400] { other.add(breadcrumb(number)) }
        let merged = BreadcrumbTail.merged([tail, other])
        #expect(merged.count == 128)
        #expect(merged.map(\.timestamp) == merged.map(\.timestamp).sorted())
        #expect(merged.filter { $0.message == "260" }.count == 2)
    }
}
