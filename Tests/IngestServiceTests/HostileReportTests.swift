// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

struct HostileReportTests {
    /// Every number at its edge, every list long.
    private func extremeEvents() -> [Event] {
        let top = HexAddress(.max)
        var edges = Samples.crash(1)
        edges.timestamp = Timestamp(milliseconds: 253_402_300_799_999)
        edges.reason = Reason(
            signal: "SIGSEGV", number: .max, code: "SEGV_MAPERR", faultAddress: top, senderPID: .min,
            message: String(repeating: "x", count: 100_000))
        edges.debugImages = [0, 1, .max - 1, .max].flatMap { address -> [DebugImage] in
            [0, 1, .max].map { size in
                DebugImage(
                    buildID: BuildID(hex: "abcd"), codeFile: "/x", imageAddress: HexAddress(address), imageSize: size,
                    loadBias: top)
            }
        }
        edges.threads = [0, 1, .max - 1, .max].map { address in
            ThreadState(
                id: .min, name: "", crashed: true,
                registers: ["rip": HexAddress(address), "rsp": top, "rbp": top, "rsp2": top],
                frames: [
                    Frame(
                        instructionAddress: HexAddress(address), trust: .cfi, line: .min, column: .max,
                        relativeAddress: top),
                    Frame(instructionAddress: top, trust: .cfi, inlined: true, line: .max, relativeAddress: top),
                ], stack: MemoryRegion(address: HexAddress(.max - 3), data: Data(repeating: 0xff, count: 64)))
        }
        edges.memory = [MemoryRegion(address: top, data: Data(repeating: 1, count: 4096))]
        edges.session = Session(
            id: "s", started: Timestamp(milliseconds: -62_135_596_800_000), status: .ok, duration: 1e308, errors: .min)

        var long = Samples.crash(2)
        let names = ["a", "<", "(", "closure #1 in ", " in _", String(repeating: "<(", count: 300)]
        long.threads[0].frames = (0..<20_000).map { index in
            Frame(
                instructionAddress: HexAddress(UInt64(index)), trust: .framePointer,
                symbol: "$s" + names[index % names.count],
                function: names[index % names.count], status: .symbolicated)
        }
        long.tags = Dictionary((0..<2000).map { ("tag\($0)", "v") }, uniquingKeysWith: { first, _ in first })
        long.breadcrumbs = (0..<2000).map {
            Breadcrumb(timestamp: Timestamp(milliseconds: Int64($0)), category: nil, message: nil)
        }

        var empty = Event(
            eventID: Samples.eventID(3), type: EventType(rawValue: ""), timestamp: Timestamp(milliseconds: 0),
            level: Level(rawValue: ""))
        empty.fingerprint = ["", "{{ default }}", String(repeating: "y", count: 10_000)]
        return [edges, long, empty]
    }

    @Test func `a batch of millions of items is refused, in bounded memory`() throws {
        let server = try ServerProcess()
        let some = try server.ingest("{\"items\":[" + String(repeating: "0,", count: 1999) + "0]}")
        #expect(some.status == 202)
        let reply = try ModelCoding.decode(IngestReply.self, from: some.body)
        #expect(reply.rejected.filter { $0.code == "invalid_item" }.count == 1000)
        #expect(reply.rejected.filter { $0.code == "too_many_items" }.count == 1000)
        let many = try server.ingest("{\"items\":[" + String(repeating: "0,", count: 8_000_000) + "0]}")
        #expect(many.status == 413 && many.text.contains("too_many_items") && many.text.contains("8000001"))
        let images = String(repeating: "{},", count: 4_000_000) + "{}"
        let event = "{\"kind\":\"event\",\"id\":\"1\",\"payload\":{\"debug_images\":[\(images)]}}"
        #expect(try server.ingest("{\"items\":[\(event)]}").status == 202)
        #expect(try server.accepted(try Samples.batch(Samples.crash(1))).accepted == 1)
        let peak = try server.peakMemory()
        #expect(peak < 400 << 10, "\(peak) KiB")
    }

    @Test func `extreme values are stored and shown`() throws {
        let server = try ServerProcess()
        let events = extremeEvents()
        #expect(try server.accepted(Samples.batch(try events.map { try Samples.item($0) })).accepted == events.count)
        let session = try server.session()
        for number in 1...events.count {
            _ = try server.event(number)
            let page = try server.client.send("GET", "/events/\(Samples.eventID(number))", headers: session)
            #expect(page.status == 200)
        }
        #expect(!server.process.errorsSoFar.contains("could not be symbolicated"), "\(server.process.errorsSoFar)")
        #expect(try server.client.send("GET", "/", headers: session).status == 200)
    }

    @Test func `mutated batches are taken or refused, never worse`() throws {
        let server = try ServerProcess()
        let body = [UInt8](try Samples.batch(Samples.crash(1), Samples.crash(2)).utf8)
        var generator = SeededRandom(seed: 11)
        for _ in 0..<150 {
            var bytes = body
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                default: bytes.insert(contentsOf: "9{[\"".utf8.shuffled(using: &generator).prefix(2), at: place)
                }
            }
            let headers = server.keyHeader.merging(["Content-Type": "application/json"]) { first, _ in first }
            let status = try server.client.send("POST", "/api/v1/ingest", headers: headers, body: Data(bytes)).status
            #expect([202, 400].contains(status), "\(status): \(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(try server.accepted(try Samples.batch(Samples.crash(99))).accepted == 1)
        _ = try server.event(99)
    }
}
