// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import IngestService

struct FloodTests {
    private static let isSoak = ProcessInfo.processInfo.environment["VAKA_SOAK"] != nil
    private static let batches = isSoak ? 100 : 4
    private static let inBatch = 100

    /// With VAKA_SOAK=1 they are 10,000, for which a minute is meant to be enough.
    @Test func `a flood of distinct problems is taken whole, each an issue of its own`() throws {
        let server = try ServerProcess(["--workers", "2"])
        for batch in 0..<Self.batches {
            let items = try (1...Self.inBatch).map { index in
                let number = batch * Self.inBatch + index
                var event = Samples.crash(number, function: "app.problem\(number)()")
                event.threads[0].frames[0].relativeAddress = HexAddress(UInt64(number))
                return try Samples.item(event)
            }
            #expect(try server.accepted(Samples.batch(items)).accepted == Self.inBatch)
            // People are answered meanwhile.
            #expect(try server.get("issues?limit=1").status == 200)
        }
        let wanted = Self.batches * Self.inBatch
        try server.eventually(seconds: 300) {
            let text = try server.client.send("GET", "/metrics").text
            return text.contains("vaka_events_stored_total \(wanted)\n") ? true : nil
        }
        #expect(try server.client.send("GET", "/metrics").text.contains("vaka_issues_created_total \(wanted)\n"))
        #expect(try server.json("issues?query=problem\(wanted)")["issues"]?.array.count == 1)
    }

    /// A report that the door lets in and nobody can read holds nobody up.
    @Test func `what cannot be read is set aside, and its neighbours are stored`() throws {
        let server = try ServerProcess()
        // Of a member that is there twice the door looks at the last, and the decoder at the first.
        let payload =
            "{\"schema_version\":1,\"event_id\":\"\(Samples.eventID(1))\",\"type\":[],\"type\":\"crash\","
            + "\"timestamp\":\"2026-01-01T00:00:00Z\"}"
        let unreadable = "{\"kind\":\"event\",\"id\":\"\(Samples.eventID(1))\",\"payload\":\(payload)}"
        let batch = Samples.batch([unreadable, try Samples.item(Samples.crash(2))])
        #expect(try server.accepted(batch).accepted == 2)
        _ = try server.event(2)
        #expect(try server.get("events/\(Samples.eventID(1))").status == 404)
        #expect(try server.client.send("GET", "/metrics").text.contains("vaka_items_set_aside_total 1\n"))
    }
}
