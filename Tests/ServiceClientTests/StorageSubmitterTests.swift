import Delivery
import FoundationEssentials
// SPDX-License-Identifier: Apache-2.0
import HTTPClient
import TestSupport
import Testing
import VakaModel

@testable import ServiceClient

@Suite struct StorageSubmitterTests {
    let clock = SleepingClock()
    let folder: TemporaryFolder
    let sdk = SDKInfo(name: "vaka-command", version: "1")

    init() throws {
        folder = try TemporaryFolder()
    }

    func submitter(_ server: ScriptedServer) throws -> StorageSubmitter {
        StorageSubmitter(
            endpoint: try ServiceEndpoint(url: server.url), key: "vk_test", sdk: sdk, retry: clock.policy())
    }

    func addBatch(_ id: String) throws {
        let queue = try BatchQueue(folder: StorageFolder(path: folder.path), sdk: sdk)
        try queue.add([BatchItem(kind: .track, id: id, payload: ["name": "x"])], time: clock.time)
    }

    @Test func whatWaitsIsDelivered() throws {
        let server = try ScriptedServer(answers: [.init(status: 500)])
        try addBatch("a")
        try addBatch("b")
        let summary = try submitter(server).submit(storage: folder.path)
        #expect(summary == .init(events: [], deliveredBatches: 2, waitingBatches: 0))
        #expect(try server.requests().map { $0.items.first?["id"] } == ["a", "a", "b"])
        #expect(clock.naps.count == 1)
        #expect(folder.waitingBatches().isEmpty)
    }

    @Test func whatIsNotDeliveredStays() throws {
        let server = try ScriptedServer(default: .init(status: 503))
        try addBatch("a")
        let error = #expect(throws: ServiceError.self) { try submitter(server).submit(storage: folder.path) }
        #expect(error?.message.contains("status 503") == true)
        #expect(folder.waitingBatches().count == 1)
    }

    @Test func aRefusedKey() throws {
        let server = try ScriptedServer(default: .init(status: 401))
        try addBatch("a")
        let error = #expect(throws: ServiceError.self) { try submitter(server).submit(storage: folder.path) }
        #expect(error?.code == .unauthorized)
        #expect(folder.waitingBatches().count == 1)
    }

    @Test func aFolderThatIsNone() throws {
        let server = try ScriptedServer()
        let error = #expect(throws: StorageError.self) {
            try submitter(server).submit(storage: folder.path + "/missing")
        }
        #expect(error?.description.contains("cannot use the folder \(folder.path)/missing") == true)
        #expect(folder.entries().isEmpty)
    }

    @Test func damagedRecordsAreSetAside() throws {
        let server = try ScriptedServer()
        try addBatch("a")
        try Data("no record".utf8).write(to: URL(filePath: folder.path + "/crashes/00.vakacrash"))
        let summary = try submitter(server).submit(storage: folder.path)
        #expect(summary.deliveredBatches == 1)
        #expect(folder.entries("crashes/damaged") == ["00.vakacrash"])
    }
}
