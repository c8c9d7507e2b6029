// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import Vaka

@Suite struct ClientTests {
    @Test func itemsWaitForTheInterval() throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url)
        setup.client.track("a", [:])
        setup.client.track("b", [:])
        // One round is planned, for both.
        #expect(setup.scheduler.waits == [.seconds(10)])
        #expect(try server.requests().isEmpty)
        setup.clock.advance(.seconds(10))
        setup.scheduler.runLater()
        #expect(try server.requests().map(\.items.count) == [2])
        // Nothing to do: nothing is planned.
        #expect(setup.scheduler.waits.isEmpty)
    }

    @Test func aFullBatchDoesNotWait() throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url) { $0.maxBatchSize = 3 }
        for number in 1...7 { setup.client.track("\(number)", [:]) }
        #expect(try server.requests().map(\.items.count) == [3, 3])
        setup.client.flush()
        #expect(try server.requests().map(\.items.count) == [3, 3, 1])
    }

    @Test func aFailureIsTriedAgainByItself() throws {
        let server = try ScriptedServer(answers: [.init(status: 503)])
        let setup = try ClientSetup(url: server.url)
        setup.client.track("a", [:])
        setup.client.flush()
        #expect(setup.waiting.count == 1)
        let wait = try #require(setup.scheduler.waits.min())
        #expect(wait >= .seconds(5) && wait <= .seconds(6.25))
        setup.clock.advance(wait)
        setup.scheduler.runLater()
        #expect(try server.requests().count == 2)
        #expect(setup.waiting.isEmpty)
    }

    @Test func whileTheDiskRefusesItemsStayInMemory() throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url) { $0.maxBatchSize = 5000 }
        let pending = setup.client.outbox.queue.pending
        try FileManager.default.removeItem(atPath: pending)
        for number in 1...1005 { setup.client.track("\(number)", [:]) }
        setup.client.flush()
        #expect(try server.requests().isEmpty)
        try FileManager.default.createDirectory(atPath: pending, withIntermediateDirectories: false)
        setup.client.flush()
        let requests = try server.requests()
        #expect(requests.flatMap(\.items).filter { $0["kind"] == "track" }.count == 1000)
        #expect(requests.last?.dropped == ["memory_overflow": 5])
    }

    @Test func theSmallItems() throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url)
        setup.client.identify(.init(userId: "user-123"))
        setup.client.screen("Checkout")
        setup.client.track("purchase", ["plan": "pro", "seats": 3])
        setup.client.flush()
        let items = try #require(try server.requests().first).items
        #expect(items.map { $0["kind"] } == ["screen", "track"])
        #expect(items[0]["payload"]?["name"] == "Checkout")
        #expect(items[1]["payload"]?["properties"] == ["plan": "pro", "seats": 3])
        #expect(items[1]["payload"]?["user_id"] == "user-123")
        #expect(items[1]["payload"]?["timestamp"] == .string(setup.clock.time.description))
    }

    @Test func afterTheEndNothingIsCollected() throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url)
        setup.client.track("a", [:])
        setup.client.end(within: .seconds(2))
        setup.client.track("b", [:])
        setup.client.flush()
        #expect(try server.requests().map(\.items.count) == [1])
    }

    @Test(arguments: ["", "vk a", "vk_a\r\nX: 1"]) func aKeyThatIsNone(key: String) throws {
        #expect(throws: IngestKey.Invalid.self) {
            try ClientSetup(url: "http://127.0.0.1:1") { $0.key = key }
        }
    }

    @Test func manyThreadsAtOnce() throws {
        let server = try ScriptedServer()
        let setup = try ClientSetup(url: server.url) { $0.maxBatchSize = 5000 }
        let workers = (0..<4).map { worker in
            Worker {
                for number in 0..<200 {
                    setup.client.setTag("worker", "\(worker)")
                    setup.client.addBreadcrumb(category: "w", message: "\(number)", level: .info, data: [:])
                    setup.client.track("\(worker)-\(number)", [:])
                }
            }
        }
        for worker in workers { _ = worker.value() }
        setup.client.flush()
        #expect(Set(try server.requests().flatMap(\.itemIDs)).count == 800)
    }
}
