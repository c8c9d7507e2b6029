// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Synchronization
import TestSupport
import Testing
import VakaModel

@testable import Vaka

@Suite struct HookTests {
    func dropped(_ server: ScriptedServer) throws -> [String: Int64] {
        try server.requests().map(\.dropped).reduce(into: [:]) { sum, one in sum.merge(one, uniquingKeysWith: +) }
    }

    @Test func anEventIsChangedOrDropped() throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url) {
            $0.beforeSend = { event in
                guard event.errors.first?.message != "secret" else { return nil }
                var event = event
                event.tags["seen"] = "yes"
                event.eventID = "0"
                event.type = .crash
                return event
            }
        }
        setup.client.capture(message: "secret", level: .info)
        setup.client.capture(message: "plain", level: .info)
        setup.client.flush()
        let event = try #require(try server.events().first)
        #expect(try server.events().count == 1)
        #expect(event.errors.first?.message == "plain")
        #expect(event.tags == ["seen": "yes"])
        // What the delivery counts by stays.
        #expect(event.eventID.count == 32)
        #expect(event.type == .message)
        #expect(try dropped(server) == ["before_send": 1])
    }

    @Test func aBreadcrumbIsChangedOrDropped() throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url) {
            $0.beforeBreadcrumb = { breadcrumb in
                guard breadcrumb.category != "secret" else { return nil }
                var breadcrumb = breadcrumb
                breadcrumb.data = [:]
                return breadcrumb
            }
        }
        setup.client.addBreadcrumb(category: "secret", message: "a", level: .info, data: [:])
        setup.client.addBreadcrumb(category: "plain", message: "b", level: .info, data: ["password": "c"])
        setup.client.capture(message: "m", level: .info)
        setup.client.flush()
        let event = try #require(try server.events().first)
        #expect(event.breadcrumbs.map(\.message) == ["b"])
        #expect(event.breadcrumbs.first?.data == [:])
        #expect(try dropped(server) == ["before_breadcrumb": 1])
    }

    @Test func aHookThatThrowsLetsNothingThrough() throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url) {
            $0.beforeSend = { _ in throw Unexpected() }
            $0.beforeBreadcrumb = { _ in throw Unexpected() }
        }
        setup.client.addBreadcrumb(category: "c", message: "m", level: .info, data: [:])
        setup.client.capture(message: "m", level: .info)
        setup.client.track("t", [:])
        setup.client.flush()
        #expect(try server.events().isEmpty)
        #expect(try server.requests().flatMap(\.items).contains { $0["kind"] == "track" })
        #expect(try dropped(server) == ["hook_failed": 2])
    }

    /// The hooks report, set tags, flush and look at the client: nothing recurses, nothing waits for itself.
    @Test func aHookMayCallTheClient() throws {
        let server = try ScriptedServer()
        let box = ClientBox()
        let setup = try ClientSetup(url: server.url) {
            $0.beforeSend = { event in
                box.client?.capture(message: "within", level: .info)
                box.client?.setTag("k", "v")
                box.client?.addBreadcrumb(category: "c", message: "from beforeSend", level: .info, data: [:])
                _ = box.client?.flush(timeout: .seconds(5))
                return event
            }
            $0.beforeBreadcrumb = { breadcrumb in
                box.client?.addBreadcrumb(category: "c", message: "within", level: .info, data: [:])
                return breadcrumb
            }
        }
        box.value.withLock { $0 = setup.client }
        defer { box.value.withLock { $0 = nil } }
        setup.client.capture(message: "one", level: .info)
        setup.client.capture(message: "two", level: .info)
        setup.client.flush()
        let events = try server.events()
        #expect(events.map { $0.errors.first?.message } == ["one", "two"])
        #expect(events.last?.breadcrumbs.map(\.message) == ["from beforeSend"])
        // Two events from within the one hook, two breadcrumbs from within the other.
        #expect(try dropped(server) == ["hook_reentered": 4])
    }

    @Test func aTaskOfAHookDoesNotBeginAnew() async throws {
        let server = try ScriptedServer()
        let box = ClientBox()
        let made = Tasks()
        let setup = try ClientSetup(url: server.url) {
            $0.beforeSend = { event in
                made.add(Task { box.client?.capture(message: "from a task", level: .info) })
                return event
            }
        }
        box.value.withLock { $0 = setup.client }
        defer { box.value.withLock { $0 = nil } }
        setup.client.capture(message: "one", level: .info)
        for task in made.all { await task.value }
        setup.client.flush()
        #expect(try server.events().map { $0.errors.first?.message } == ["one"])
        #expect(try dropped(server) == ["hook_reentered": 1])
    }
}

/// The hooks are made before the client.
private final class ClientBox: Sendable {
    let value = Mutex<Client?>(nil)
    var client: Client? { value.withLock { $0 } }
}

private final class Tasks: Sendable {
    private let tasks = Mutex<[Task<Void, Never>]>([])
    var all: [Task<Void, Never>] { tasks.withLock { $0 } }
    func add(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }
}
