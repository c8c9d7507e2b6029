// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import Vaka

@Suite struct DeliveryRulesTests {
    @Test func aBatchIsWhatTheContractSays() throws {
        let server = try ScriptedServer()
        let setup = try DeliverySetup(url: server.url + "/base/")
        try setup.add("a", "b")
        setup.clock.advance(.seconds(90))
        #expect(setup.deliverer.drain() == .done)

        let request = try #require(try server.requests().first)
        #expect(request.method == "POST")
        #expect(request.path == "/base/api/v1/ingest")
        #expect(request.encoding == "gzip")
        #expect(request.headers["authorization"] == "Bearer vk_test")
        #expect(
            request.body == [
                "schema_version": 1, "sdk": ["name": "vaka-swift", "version": "1"],
                "install_id": .string(try setup.queue.folder.installID()), "sequence": 1,
                "sent_at": .string(setup.clock.time.description),
                "items": [
                    ["kind": "track", "id": "a", "payload": ["name": "a"]],
                    ["kind": "track", "id": "b", "payload": ["name": "b"]],
                ],
            ])
        #expect(setup.queue.files().isEmpty)
    }

    @Test func batchesGoInTheirOrderAndAreCounted() throws {
        let server = try ScriptedServer()
        let setup = try DeliverySetup(url: server.url)
        for name in ["a", "b", "c"] { try setup.add(name) }
        #expect(setup.deliverer.drain() == .done)
        // A later launch counts on.
        let next = try DeliverySetup(url: server.url, folder: setup.folder)
        try next.add("d")
        #expect(next.deliverer.drain() == .done)
        let requests = try server.requests()
        #expect(requests.map(\.itemIDs) == [["a"], ["b"], ["c"], ["d"]])
        #expect(requests.map { $0.body["sequence"] } == [1, 2, 3, 4])
        #expect(Set(requests.map { $0.body["install_id"] }).count == 1)
    }

    @Test(arguments: [
        ScriptedServer.Answer(status: 500), .init(status: 503), .init(cut: true), .init(status: 408),
        .init(status: 302, headers: ["Location": "/elsewhere"]),
    ]) func aFileIsRemovedOnlyAfterSuccess(answer: ScriptedServer.Answer) throws {
        let server = try ScriptedServer(answers: [answer])
        let setup = try DeliverySetup(url: server.url)
        try setup.add("a")
        guard case .waiting(let until) = setup.deliverer.drain() else {
            Issue.record("a batch that was not accepted must wait")
            return
        }
        #expect(until >= .seconds(5) && until <= .seconds(6.25))
        #expect(setup.queue.files().count == 1)
        // Before the time nothing is sent.
        setup.clock.advance(.seconds(4))
        #expect(setup.deliverer.drain() == .waiting(until: until))
        #expect(try server.requests().count == 1)
        setup.clock.advance(until - setup.clock.uptime)
        #expect(setup.deliverer.drain() == .done)
        #expect(setup.queue.files().isEmpty)
        #expect(try server.requests().map(\.itemIDs) == [["a"], ["a"]])
    }

    @Test func theWaitDoublesAndStartsAnewAfterSuccess() throws {
        let server = try ScriptedServer(default: .init(status: 500))
        let setup = try DeliverySetup(url: server.url)
        try setup.add("a")
        for nominal in [5, 10, 20, 40, 80, 160, 300, 300] {
            guard case .waiting(let until) = setup.deliverer.drain() else { throw Unexpected() }
            let wait = until - setup.clock.uptime
            #expect(wait >= .seconds(nominal) && wait <= .seconds(nominal) * 1.25)
            setup.clock.advance(wait)
        }
        try server.add(.init(status: 202))
        #expect(setup.deliverer.drain() == .done)
        try setup.add("b")
        guard case .waiting(let until) = setup.deliverer.drain() else { throw Unexpected() }
        #expect(until - setup.clock.uptime < .seconds(7))
    }

    @Test func retryAfterIsRespectedEvenByTheImpatient() throws {
        let server = try ScriptedServer(answers: [.init(status: 429, headers: ["Retry-After": "120"])])
        let setup = try DeliverySetup(url: server.url)
        try setup.add("a")
        guard case .waiting(let until) = setup.deliverer.drain() else { throw Unexpected() }
        #expect(until >= .seconds(120) && until <= .seconds(150))
        setup.clock.advance(.seconds(119))
        #expect(setup.deliverer.drain(impatient: true) == .waiting(until: until))
        setup.clock.advance(.seconds(31))
        #expect(setup.deliverer.drain() == .done)
    }

    @Test(arguments: [401, 403]) func aRefusedKeyEndsTheSending(status: Int) throws {
        let server = try ScriptedServer(answers: [.init(status: status)])
        let setup = try DeliverySetup(url: server.url)
        try setup.add("a")
        try setup.add("b")
        #expect(setup.deliverer.drain() == .stopped)
        setup.clock.advance(.seconds(3600))
        #expect(setup.deliverer.drain(impatient: true) == .stopped)
        #expect(try server.requests().count == 1)
        #expect(setup.queue.files().count == 2)
        // The next launch tries again.
        let next = try DeliverySetup(url: server.url, folder: setup.folder)
        #expect(next.deliverer.drain() == .done)
        #expect(try server.requests().map(\.itemIDs) == [["a"], ["a"], ["b"]])
    }

    @Test func tooLargeABatchIsDivided() throws {
        let server = try ScriptedServer(default: .init(itemsLimit: 2))
        let setup = try DeliverySetup(url: server.url)
        try setup.add("a", "b", "c", "d", "e")
        #expect(setup.deliverer.drain() == .done)
        let accepted = try server.requests().filter { $0.items.count <= 2 }
        #expect(accepted.flatMap(\.itemIDs).sorted() == ["a", "b", "c", "d", "e"])
        #expect(Set(accepted.map { $0.body["sequence"] }).count == accepted.count)
        #expect(setup.queue.files().isEmpty)
        #expect(setup.deliverer.takeLosses().isEmpty)
    }

    @Test func tooLargeAnItemShedsAndIsThenGivenUp() throws {
        let server = try ScriptedServer(default: .init(bytesLimit: 2500))
        let setup = try DeliverySetup(url: server.url)
        try setup.addEvent("01")
        #expect(setup.deliverer.drain() == .done)
        let sent = try #require(try server.requests().last?.items.first?["payload"])
        #expect(
            sent["loss"] == [
                ["what": "stack slice of the crashed thread", "why": "left out: the report was too large to be sent"]
            ])

        try server.setDefault(.init(bytesLimit: 300))
        try setup.addEvent("02")
        #expect(setup.deliverer.drain() == .done)
        #expect(setup.queue.files().isEmpty)
        try setup.add("c")
        try server.setDefault(.init())
        #expect(setup.deliverer.drain() == .done)
        #expect(try server.requests().last?.dropped == ["too_large": 1])
    }

    @Test(arguments: [400, 404, 422]) func aPermanentRefusalDropsTheBatchAndIsCounted(status: Int) throws {
        let server = try ScriptedServer(answers: [.init(status: status)])
        let setup = try DeliverySetup(url: server.url)
        try setup.add("a", "b")
        try setup.add("c")
        #expect(setup.deliverer.drain() == .done)
        try setup.add("d")
        #expect(setup.deliverer.drain() == .done)
        let requests = try server.requests()
        #expect(requests.count == 3)
        #expect(requests[1].itemIDs == ["c"])
        #expect(requests[2].itemIDs.first == "d")
        #expect(requests[2].dropped == ["refused_\(status)": 2])
    }

    @Test func refusedReportsOfLossesDoNotBreedMore() throws {
        let server = try ScriptedServer(default: .init(status: 400))
        let setup = try DeliverySetup(url: server.url)
        try setup.add("a")
        #expect(setup.deliverer.drain() == .done)
        try setup.add()
        #expect(setup.deliverer.drain() == .done)
        #expect(setup.deliverer.takeLosses().isEmpty)
    }

    @Test func nothingListeningThenUp() throws {
        let first = try ScriptedServer()
        let port = first.port
        first.stop()
        let setup = try DeliverySetup(url: "http://127.0.0.1:\(port)")
        try setup.add("a")
        guard case .waiting(let until) = setup.deliverer.drain() else { throw Unexpected() }
        #expect(setup.queue.files().count == 1)
        let server = try ScriptedServer(port: port)
        #expect(setup.deliverer.drain() == .waiting(until: until))
        // The user asked for it: our own guess at a wait is not waited out.
        #expect(setup.deliverer.drain(impatient: true) == .done)
        #expect(try server.requests().map(\.itemIDs) == [["a"]])
    }

    @Test func anAnswerThatDoesNotComeIsNotWaitedForLonger() throws {
        let server = try ScriptedServer(default: .init(delay: 30))
        let setup = try DeliverySetup(url: server.url)
        try setup.add("a")
        let start = ContinuousClock.now
        guard case .waiting = setup.deliverer.drain(timeout: .milliseconds(300)) else { throw Unexpected() }
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(setup.queue.files().count == 1)
    }

    @Test func atMostTwoHundredFilesAreKeptTheOldestGoFirst() throws {
        let server = try ScriptedServer()
        let setup = try DeliverySetup(url: server.url)
        for number in 1...205 { try setup.add("item \(number)") }
        #expect(setup.queue.files().count == 200)
        #expect(setup.deliverer.drain() == .done)
        let requests = try server.requests()
        let ids = requests.flatMap(\.items).filter { $0["kind"] == "track" }.compactMap { $0["id"]?.string }
        #expect(ids == (6...205).map { "item \($0)" })
        #expect(requests.flatMap { Array($0.dropped) }.map(\.value).reduce(0, +) == 5)
    }

    @Test func countsOfLostReportsAreNotLost() throws {
        let server = try ScriptedServer()
        let setup = try DeliverySetup(url: server.url, files: 2)
        for number in 1...9 { try setup.add("item \(number)") }
        #expect(setup.deliverer.drain() == .done)
        let requests = try server.requests()
        #expect(requests.count == 2)
        #expect(requests.map { $0.dropped["queue_overflow"] ?? 0 }.reduce(0, +) == 7)
    }

    @Test func damagedFilesDoNotHoldUpTheOthers() throws {
        let server = try ScriptedServer()
        let setup = try DeliverySetup(url: server.url)
        let pending = setup.queue.pending
        try Data("{\"items\": [".utf8).write(to: URL(filePath: pending + "/00000000000000000000.json"))
        try Data().write(to: URL(filePath: pending + "/.new-00000000000000000009.json"))
        try FileManager.default.createDirectory(
            atPath: pending + "/00000000000000000001.json", withIntermediateDirectories: false)
        try setup.add("a")
        #expect(setup.deliverer.drain() == .done)
        #expect(setup.folder.entries("pending") == ["00000000000000000001.json"])
        try setup.add("b")
        #expect(setup.deliverer.drain() == .done)
        #expect(try server.requests().map { $0.itemIDs.first } == ["a", "b"])
        #expect(try server.requests().last?.dropped == ["unreadable": 1])
    }

    @Test func whileAnotherSendsNothingIsSentTwice() throws {
        let server = try ScriptedServer(default: .init(delay: 0.05))
        let setup = try DeliverySetup(url: server.url)
        let other = try DeliverySetup(url: server.url, folder: setup.folder)
        for number in 1...5 { try setup.add("\(number)") }
        let worker = Worker { setup.deliverer.drain() }
        try server.waitForRequests(1)
        #expect(other.deliverer.drain() == .busy)
        #expect(worker.value() == .done)
        #expect(try server.requests().flatMap(\.itemIDs) == (1...5).map(String.init))
    }

    @Test func theFoldersAreTheUsersAlone() throws {
        let setup = try DeliverySetup(url: "http://127.0.0.1:1")
        try setup.add("a")
        for (name, mode) in [("pending", 0o700), ("crashes", 0o700), ("runs", 0o700), ("install_id", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: setup.folder.path + "/" + name)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }
}

struct Unexpected: Error {}
