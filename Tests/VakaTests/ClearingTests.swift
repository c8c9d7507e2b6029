// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import Vaka

/// What each of the clearing calls erases, and what it keeps.
@Suite struct ClearingTests {
    let server: ScriptedServer
    let setup: LifecycleSetup

    /// Of every kind something waits on disk, under two keys, and something in memory; nothing was delivered.
    init() throws {
        server = try ScriptedServer(default: .init(status: 503))
        setup = try LifecycleSetup(server)
        setup.start(key: "vk_old")
        try fill("old")
        setup.stop()
        setup.start(key: "vk_new")
        try fill("new")
        setup.track("in memory")
        setup.lifecycle.collect { $0.logHealthMessage("in memory") }
        try FileManager.default.createDirectory(
            atPath: setup.folder.path + "/state/recordings/1", withIntermediateDirectories: true)
        try Data("frames".utf8).write(to: URL(filePath: setup.folder.path + "/state/recordings/1/0.frames"))
        try Data("no record".utf8).write(to: URL(filePath: setup.folder.path + "/state/crashes/00.vakacrash"))
    }

    private func fill(_ name: String) throws {
        let client = try #require(setup.lifecycle.client)
        setup.track(name)
        setup.lifecycle.collect { $0.capture(message: name, level: .info) }
        setup.lifecycle.collect { $0.logHealthMessage(name) }
        client.flush()
        var crash = Event(eventID: BatchQueue.newID(), type: .crash, timestamp: setup.clock.time, level: .fatal)
        crash.session = Session(id: name, started: setup.clock.time, status: .crashed)
        try client.outbox.queue.add(try BatchItem.items(of: crash), time: setup.clock.time)
        try client.outbox.queue.add(
            [BatchItem(kind: .recording, id: BatchQueue.newID(), payload: ["name": .string(name)])],
            time: setup.clock.time)
    }

    private var recordings: [String] { setup.folder.entries("state/recordings") }
    private var records: [String] { setup.folder.entries("state/crashes").filter { $0.hasSuffix(".vakacrash") } }

    /// Kinds of what is delivered in the end, each as often as it came: events by their type.
    private func delivered() throws -> [String: Int] {
        try server.setDefault(.init())
        let before = try server.requests().count
        setup.stop()
        var counts: [String: Int] = [:]
        for item in try server.requests().dropFirst(before).flatMap(\.items) {
            counts[item["payload"]?["type"]?.string ?? item["kind"]?.string ?? "", default: 0] += 1
        }
        return counts
    }

    @Test func nothingIsErasedUnasked() throws {
        #expect(
            try delivered() == ["track": 3, "message": 2, "health": 3, "crash": 2, "session": 2, "recording": 2])
    }

    @Test func recordingsGoOutWithTheKeyTheyWereQueuedUnder() throws {
        _ = try delivered()
        let keys = try server.requests().filter { $0.status == 202 }.flatMap { request in
            request.items.filter { $0["kind"] == "recording" }.compactMap { item in
                item["payload"]?["name"]?.string.map { "\($0) \(request.headers["authorization"] ?? "")" }
            }
        }
        #expect(keys.sorted() == ["new Bearer vk_new", "old Bearer vk_old"])
    }

    @Test func storedDataAreReportsAndRecordings() throws {
        setup.lifecycle.clear([.reports, .recordings])
        #expect(recordings.isEmpty && records.isEmpty)
        #expect(setup.lifecycle.client != nil)
        #expect(try delivered() == ["track": 3, "message": 2, "health": 3, "session": 2])
    }

    @Test func healthMessages() throws {
        setup.lifecycle.clear([.health])
        #expect(!recordings.isEmpty && !records.isEmpty)
        #expect(try delivered() == ["track": 3, "message": 2, "crash": 2, "session": 2, "recording": 2])
    }

    @Test func screenRecordings() throws {
        setup.lifecycle.clear([.recordings])
        #expect(recordings.isEmpty && !records.isEmpty)
        #expect(try delivered() == ["track": 3, "message": 2, "health": 3, "crash": 2, "session": 2])
    }

    @Test func requestQueuesOfEveryKey() throws {
        setup.lifecycle.clear([.events])
        #expect(!recordings.isEmpty && !records.isEmpty)
        #expect(try delivered() == ["health": 3, "crash": 2, "recording": 2])
    }

    /// Where nothing runs, what another process had in memory is found, too.
    @Test func beforeAStart() throws {
        let path = setup.folder.path + "/state"
        setup.stop()
        let other = try LifecycleSetup(server, folder: setup.folder)
        try KeptData.erase([.recordings, .health, .events, .reports], path: path)
        #expect(recordings.isEmpty && records.isEmpty && setup.waiting.isEmpty)
        // A folder that is not there is not made.
        try KeptData.erase([.events], path: path + "/none")
        #expect(!setup.folder.entries("state").contains("none"))
        #expect(other.lifecycle.client == nil)
    }

    @Test func whatIsKeptInMemorySurvivesTheProcessStill() throws {
        setup.lifecycle.clear([.events])
        let spools = setup.folder.entries("state/queues").flatMap { queue in
            setup.folder.entries("state/queues/\(queue)/spool").map { "state/queues/\(queue)/spool/\($0)" }
        }
        let lines = try spools.map {
            try String(contentsOf: URL(filePath: setup.folder.path + "/" + $0), encoding: .utf8)
        }
        #expect(lines.joined().contains("health") && !lines.joined().contains("track"))
    }
}
