// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import Vaka

/// What is being sent when the clearing calls are made, to a service that reads slowly.
@Suite struct ClearingUploadTests {
    /// Who erases.
    enum Caller: String, CaseIterable {
        case running, stopping, stopped
    }

    let server: ScriptedServer
    let setup: LifecycleSetup

    init() throws {
        server = try ScriptedServer()
        setup = try LifecycleSetup(server, isReal: true)
    }

    /// A recording that does not compress; the usual one is more than the system holds of a connection.
    private func recording(_ name: String, numbers: Int = 200_000) -> BatchItem {
        var random = SystemRandomNumberGenerator()
        let noise = (0..<numbers).map { _ in String(random.next(), radix: 36) }.joined()
        return BatchItem(
            kind: .recording, id: BatchQueue.newID(), payload: ["name": .string(name), "noise": .string(noise)])
    }

    private func queue(_ items: BatchItem...) throws {
        let client = try #require(setup.lifecycle.client)
        try client.outbox.queue.add(items, time: client.timekeeper.time)
    }

    /// Waits until the service has some of a body, and takes no more.
    private func waitForUpload() throws {
        try eventually { try server.uploads().first.map { $0.received > 0 } == true ? true : nil }
    }

    private func ended() throws -> ScriptedServer.Upload {
        try server.setSlow(nil)
        return try eventually { try server.uploads().first { $0.ended } }
    }

    /// Names of the recordings that came whole.
    private func arrived() throws -> [String] {
        try server.requests().flatMap(\.items).filter { $0["kind"] == "recording" }
            .compactMap { $0["payload"]?["name"]?.string }
    }

    @Test(arguments: Caller.allCases) func anUploadInProgressIsBrokenOff(caller: Caller) throws {
        setup.start()
        try server.setSlow(1000)
        try queue(recording("before"))
        setup.lifecycle.flush()
        try waitForUpload()
        let client = try #require(setup.lifecycle.client)
        if caller != .running { setup.lifecycle.stop() }
        // The end of a stop that waits for no request any more.
        if caller == .stopped { try eventually { setup.lifecycle.lastClient == nil ? true : nil } }
        let begun = ContinuousClock.now
        if caller == .stopped {
            try KeptData.erase([.recordings], path: client.storage.path)
        } else {
            setup.lifecycle.clear([.recordings])
        }
        #expect(ContinuousClock.now - begun < .seconds(5))
        #expect(client.waitingBatches == 0)
        let upload = try ended()
        #expect(upload.received < upload.declared)
        // What comes later is sent, and nothing waits for a pause of the service.
        if caller != .running {
            setup.stop()
            setup.start()
        }
        try queue(recording("after"))
        #expect(setup.lifecycle.flush(timeout: .seconds(30)))
        #expect(try arrived() == ["after"])
        setup.stop()
    }

    /// Of this size the SDK has sent all of it, and waits for the answer, when the service has read next to nothing.
    @Test func whatTheSystemHoldsOfAnUploadIsNotSentOn() throws {
        setup.start()
        try server.setSlow(1000)
        try queue(recording("before", numbers: 25_000))
        setup.lifecycle.flush()
        try waitForUpload()
        setup.lifecycle.clear([.reports, .recordings])
        let upload = try ended()
        #expect(upload.received < upload.declared)
        #expect(setup.lifecycle.flush(timeout: .seconds(30)))
        #expect(try arrived().isEmpty)
        setup.stop()
    }

    @Test func whatElseIsSentIsLeftAlone() throws {
        setup.start()
        try server.setSlow(1000)
        try queue(recording("kept"))
        setup.lifecycle.flush()
        try waitForUpload()
        setup.lifecycle.clear([.health, .events, .reports])
        let upload = try ended()
        #expect(upload.received == upload.declared)
        #expect(setup.lifecycle.flush(timeout: .seconds(30)))
        #expect(try arrived() == ["kept"])
        setup.stop()
    }

    /// Of a batch that has other things, too, these are sent again.
    @Test func theRestOfABatchIsSentAgain() throws {
        setup.start()
        try server.setSlow(1000)
        let health = BatchItem(kind: .health, id: BatchQueue.newID(), payload: ["message": "erased"])
        let track = BatchItem(kind: .track, id: BatchQueue.newID(), payload: recording("track").payload)
        try queue(health, track)
        setup.lifecycle.flush()
        try waitForUpload()
        setup.lifecycle.clear([.health])
        let upload = try ended()
        #expect(upload.received < upload.declared)
        #expect(setup.lifecycle.flush(timeout: .seconds(30)))
        #expect(try server.requests().flatMap(\.items).compactMap { $0["id"]?.string } == [track.id])
        setup.stop()
    }

    @Test func anUploadOfAnotherProcessIsBrokenOff() throws {
        setup.start()
        try queue(recording("theirs"))
        let path = try #require(setup.lifecycle.client).storage.path
        try server.setSlow(1000)
        // Nothing of ours sends it.
        let other = try ChildProcess(
            BuildProducts.executable("vaka"), ["submit", "--url", server.url, "--key", "vk_a", path])
        try waitForUpload()
        try KeptData.erase([.recordings], path: path)
        // It has nothing left to send.
        #expect(try other.wait().status == .exited(0))
        let upload = try ended()
        #expect(upload.received < upload.declared)
        #expect(try arrived().isEmpty)
        setup.stop()
    }

    /// The rest of the batch is another file of the same name.
    @Test func whatIsErasedOfAnotherProcesssBatchIsNotSentOn() throws {
        setup.start()
        let health = BatchItem(kind: .health, id: BatchQueue.newID(), payload: ["message": "erased"])
        let payload = recording("track", numbers: 25_000).payload
        let track = BatchItem(kind: .track, id: BatchQueue.newID(), payload: payload)
        try queue(health, track)
        let path = try #require(setup.lifecycle.client).storage.path
        try server.setSlow(1000)
        let other = try ChildProcess(
            BuildProducts.executable("vaka"), ["submit", "--url", server.url, "--key", "vk_a", path])
        try waitForUpload()
        try KeptData.erase([.health], path: path)
        // It gives up, or begins anew with what is left.
        try eventually { try other.hasEnded || server.uploads().count > 1 ? true : nil }
        let first = try ended()
        #expect(first.received < first.declared)
        _ = try other.wait()
        #expect(setup.lifecycle.flush(timeout: .seconds(30)))
        #expect(try server.requests().flatMap(\.items).compactMap { $0["id"]?.string } == [track.id])
        setup.stop()
    }
}
