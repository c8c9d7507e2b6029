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
        let server = try ServerProcess(["--workers", "2", "--issue-rate", "5"])
        let begun = ContinuousClock.now
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
        let sent = ContinuousClock.now - begun
        let wanted = Self.batches * Self.inBatch
        try server.eventually(seconds: 300) {
            #expect(try server.get("issues?query=problem&sort=events&limit=200").status == 200)
            let text = try server.client.send("GET", "/metrics").text
            return text.contains("vaka_events_stored_total \(wanted)\n") ? true : nil
        }
        let peak = (server: try server.peakMemory(), worker: try server.peakWorkerMemory())
        #expect(peak.server < 200 << 10 && peak.worker < 200 << 10, "KiB: \(peak)")
        if Self.isSoak {
            print("flood: sent in \(sent), stored after \(ContinuousClock.now - begun), peak KiB \(peak)")
        }
        #expect(try server.client.send("GET", "/metrics").text.contains("vaka_issues_created_total \(wanted)\n"))
        #expect(try server.json("issues?query=problem\(wanted)")["issues"]?.array.count == 1)
        let span = "from=2023-11-14T00:00:00Z&to=2023-11-16T00:00:00Z"
        #expect(try server.json("counts?\(span)")["counts"]?.array.first?["events"] == .integer(Int64(wanted)))
        var (listed, cursor): (Int, String?) = (0, nil)
        repeat {
            let page = try server.json("issues?limit=200" + (cursor.map { "&cursor=\($0)" } ?? ""))
            listed += page["issues"]?.array.count { $0["events"] == 1 } ?? 0
            cursor = page["next_cursor"]?.string
        } while cursor != nil
        #expect(listed == wanted, "all are in the list")
    }

    /// A report that the door lets in and nobody can read holds nobody up.
    @Test func `what cannot be read is set aside, and its neighbours are stored`() throws {
        let server = try ServerProcess()
        let batch = Samples.batch([Samples.unreadable(1), try Samples.item(Samples.crash(2))])
        #expect(try server.accepted(batch).accepted == 2)
        _ = try server.event(2)
        #expect(try server.get("events/\(Samples.eventID(1))").status == 404)
        #expect(try server.client.send("GET", "/metrics").text.contains("vaka_items_set_aside_total 1\n"))
    }
}
