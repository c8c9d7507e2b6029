// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import Privacy
import TestSupport
import Testing
import VakaModel

@testable import IngestService

/// Batches with captured memory beside the text.
struct BatchPartsTests {
    private func memory(_ count: Int, seed: UInt8) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) ^ seed })
    }

    private func event(_ number: Int) -> Event {
        var event = Samples.crash(number)
        event.threads[0].stack = MemoryRegion(address: HexAddress(0x7000), data: memory(9000, seed: 1))
        event.threads.append(
            ThreadState(id: 8, frames: [], stack: MemoryRegion(address: HexAddress(0x9000), data: Data([1, 2]))))
        event.memory = [
            MemoryRegion(address: HexAddress(0x1000), data: memory(4000, seed: 2)),
            MemoryRegion(address: HexAddress(0x2000), data: memory(2000, seed: 3)),
        ]
        return event
    }

    private func batch(_ events: [Event]) throws -> Batch {
        Batch(
            sdk: SDKInfo(name: "x", version: "1"), installID: "i", sequence: 1, sentAt: .now,
            items: try events.map { try BatchItem(event: $0) })
    }

    private func entries(_ body: [UInt8]) throws -> [Data] {
        let (text, parts) = try BatchParts.read(body)
        let inflated = try #require(text.withUnsafeBytes { IngestService.Gzip.inflated($0, limit: 1 << 20) })
        var reader = BatchReader(
            BatchBody(text: inflated, gzip: Array(text), parts: parts), limits: ServiceLimits(),
            scrubber: PayloadScrubber(.usual))
        let result = try reader.read()
        #expect(result.rejected.isEmpty)
        return try result.items.map { try reader.entry($0).payload }
    }

    @Test func `what goes beside the text comes back in its place`() throws {
        var secret = event(3)
        secret.reason?.message = "password=hunter2"
        for events in [[event(1)], [event(1), Samples.crash(2), event(3)], [secret]] {
            let body = [UInt8](try #require(try WireBatch(parts: try batch(events))).body)
            let waiting = try entries(body)
            #expect(waiting.count == events.count)
            for (payload, sent) in zip(waiting, events) {
                let read = try ModelCoding.decode(Event.self, from: try SpoolPayload.unpacked(payload))
                #expect(read.threads.map(\.stack) == sent.threads.map(\.stack))
                #expect(read.memory == sent.memory)
                #expect(read.eventID == sent.eventID)
                // For good it is one document.
                let settled = try SpoolPayload.settled(payload, payload: try SpoolPayload.unpacked(payload))
                #expect(try ModelCoding.decode(Event.self, from: try Zstandard.decompress(settled)) == read)
                for count in stride(from: 0, to: payload.count, by: 97) {
                    _ = try? SpoolPayload.unpacked(payload.prefix(count))
                }
            }
        }
    }

    /// The bytes of a body of these pieces.
    private func body(_ pieces: [Data], mark: String = "VKB1") -> Data {
        pieces.reduce(into: Data(mark.utf8)) { body, piece in
            withUnsafeBytes(of: UInt32(piece.count).littleEndian) { body.append(contentsOf: $0) }
            body.append(piece)
        }
    }

    private func text(_ part: String, count: Int = 1) throws -> Data {
        var event = String(decoding: try ModelCoding.encode(Samples.crash(1)), as: UTF8.self)
        event.removeLast()
        event += ",\"memory\":[{\"address\":\"0x1000\",\"part\":\(part)}]}"
        return try Delivery.Gzip.compress(
            Data(
                "{\"items\":[{\"kind\":\"event\",\"id\":\"\(Samples.eventID(1))\",\"parts\":\(count),\"payload\":\(event)}]}"
                    .utf8))
    }

    @Test func `a part that cannot be had costs its region alone`() throws {
        let good = try Delivery.Gzip.compress(memory(500, seed: 1))
        var damaged = good
        damaged[20] ^= 0xff
        // A frame that says to be of 64 GiB.
        let huge = Data([0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0x10, 0, 0, 0, 1, 0, 0])
        for (part, number) in [
            (damaged, "0"), (good.prefix(30), "0"), (Data("none".utf8), "0"), (huge, "0"), (good, "1"), (good, "-1"),
            (good, "\"0\""),
        ] {
            let payload = try entries([UInt8](body([try text(number), part])))[0]
            let repaired = try EventRepair(try SpoolPayload.unpacked(payload))
            #expect(repaired.isRepaired && (repaired.event.memory ?? []).isEmpty)
            #expect(repaired.event.loss.contains { $0.why.contains("\"data\" is missing") }, "\(repaired.event.loss)")
        }
        let payload = try entries([UInt8](body([try text("0"), good])))[0]
        #expect(try EventRepair(try SpoolPayload.unpacked(payload)).event.memory?.first?.data == memory(500, seed: 1))
    }

    @Test func `claims of much memory are bounded together`() throws {
        // Each is a good frame of 8 MiB; 64 MiB are made at most.
        let part = try Zstandard.compress(Data(count: 8 << 20), .small)
        let regions = (0..<100).map { "{\"address\":\"0x\(String(0x10000 * ($0 + 1), radix: 16))\",\"part\":\($0)}" }
        let filled = MemoryParts(Array(repeating: part, count: 100)).filled(
            into: Data("{\"memory\":[\(regions.joined(separator: ","))]}".utf8))
        #expect(filled.count < 100 << 20)
        #expect(filled.count > 80 << 20)
    }

    @Test func `bodies that are none are refused, each with what is wrong`() throws {
        let server = try ServerProcess()
        let good = try Delivery.Gzip.compress(Data("{\"items\":[]}".utf8))
        let one = try text("0")
        let bodies: [(Data, String)] = [
            (Data(), "does not begin"), (body([good], mark: "VKB2"), "does not begin"), (body([]), "has no text"),
            (body([good]) + Data([1, 0]), "ends within a size"),
            (body([good]) + Data([9, 0, 0, 0, 1]), "has a part of 9 bytes"),
            (body([good, Data()]), "has a part of 0 bytes"), (body([Data("{}".utf8)]), "neither gzip nor zstd"),
            (body([good, good]), "has 1 parts"), (body([one]), "from 0 to 0"),
            (body([try text("0", count: -1), good]), "from 0 to 1"),
            (body([try text("0", count: 2), good]), "from 0 to 1"),
        ]
        for (body, problem) in bodies {
            let answer = try server.client.send(
                "POST", "/api/v1/ingest",
                headers: server.keyHeader.merging(["Content-Type": "application/vnd.vaka.batch"]) { $1 }, body: body)
            #expect(answer.status == 400 && answer.text.contains("malformed_parts"), "\(problem): \(answer.text)")
            #expect(answer.text.contains(problem), "\(answer.text)")
        }
        let encoded = try server.client.send(
            "POST", "/api/v1/ingest",
            headers: server.keyHeader.merging([
                "Content-Type": "application/vnd.vaka.batch", "Content-Encoding": "gzip",
            ]) { $1 },
            body: body([good]))
        #expect(encoded.status == 415)
        #expect(try server.accepted(Samples.batch(Samples.crash(9))).accepted == 1)
    }

    @Test func `what a sender asks for is told in the settings`() throws {
        let server = try ServerProcess()
        let answer = try server.client.send("GET", "/api/v1/sdk-settings", headers: server.keyHeader)
        #expect(WireBatch.takesParts(TransportAnswer(status: answer.status, body: answer.body)))
        let body = try #require(try WireBatch(parts: try batch([event(1)])))
        let sent = try server.client.send(
            "POST", "/api/v1/ingest", headers: server.keyHeader.merging(body.headers) { $1 }, body: body.body)
        #expect(sent.status == 202, "\(sent.text)")
        try server.eventually { try server.get("events/\(Samples.eventID(1))").status == 200 ? true : nil }
    }
}
