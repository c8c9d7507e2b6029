// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import EventStore

/// What goes when the data folder takes more than it may.
struct DiskBudgetTests {
    /// A crash in an image that is not there, with captured memory that does not compress.
    private func crash(_ number: Int, bytes: Int) -> Event {
        var event = Samples.crash(number)
        event.threads[0].frames[0].symbol = nil
        event.threads[0].frames[0].function = nil
        event.threads[0].frames[0].status = nil
        var random = SystemRandomNumberGenerator()
        let words = (0..<bytes / 8).map { _ in random.next() as UInt64 }
        event.threads[0].stack = MemoryRegion(
            address: HexAddress(0x7ffc_0000_0000), data: words.withUnsafeBytes { Data($0) })
        return event
    }

    private func fill(_ server: ServerProcess, _ count: Int, bytes: Int) throws {
        for start in stride(from: 1, through: count, by: 20) {
            let items = try (start..<min(start + 20, count + 1)).map { try Samples.item(crash($0, bytes: bytes)) }
            _ = try server.accepted(Samples.batch(items))
        }
        for number in 1...count { _ = try server.event(number) }
    }

    private func restart(_ server: ServerProcess, _ arguments: [String]) throws -> ServerProcess {
        server.process.kill(SIGTERM)
        _ = try server.process.wait()
        return try ServerProcess(arguments, folder: server.folder)
    }

    private func memory(_ server: ServerProcess, _ number: Int) throws -> String? {
        try server.get("events/\(Samples.eventID(number))").headers["vaka-memory"]
    }

    @Test func `captured memory goes before events, the oldest first`() throws {
        let first = try ServerProcess()
        try fill(first, 60, bytes: 64 << 10)
        let server = try restart(first, ["--disk-budget", "3000000"])
        _ = try server.eventually { try memory(server, 1) == "given_up" ? true : nil }
        let used = try server.eventually { () -> Int64? in
            let disk = try server.json("limits")["disk"]
            guard disk?["exhausted"] == false, let used = disk?["used"].flatMap(Self.integer) else { return nil }
            return used > 0 && used <= 3_000_000 ? used : nil
        }
        #expect(used > 1_500_000, "no more is given up than is needed: \(used)")
        #expect(try memory(server, 60) == "kept", "the newest keeps its memory")
        #expect(try server.json("issues/1")["events_kept"] == 60, "no event goes as long as memory is left")
        let metrics = try server.client.send("GET", "/metrics").text
        #expect(metrics.contains("vaka_disk_budget_bytes 3000000.0\n"))
        #expect(!metrics.contains("vaka_reports_given_up_total 0\n"))
        #expect(try server.accepted(try Samples.batch(Samples.crash(99))).accepted == 1)
        let page = try server.client.send("GET", "/events/\(Samples.eventID(1))", headers: try server.session())
        #expect(page.text.contains("removed to stay within the disk budget"))
    }

    @Test func `when nothing else may go, nothing more is taken, and that is told`() throws {
        let first = try ServerProcess()
        try fill(first, 3, bytes: 4 << 10)
        let server = try restart(first, ["--disk-budget", "65536"])
        try server.eventually { try server.json("limits")["disk"]?["exhausted"] == true ? true : nil }
        let answer = try server.ingest(try Samples.batch(Samples.crash(9)))
        #expect(answer.status == 507)
        #expect(answer.text.contains("storage_full") && answer.text.contains("--disk-budget"))
        #expect(answer.headers["retry-after"] != nil)
        #expect(try server.upload(Data(repeating: 1, count: 100)).status == 507)
        let ready = try server.client.send("GET", "/readyz")
        #expect(ready.status == 503 && ready.text.contains("over_budget"))
        #expect(try server.json("issues/1/events")["events"]?.array.count == 2, "the first and the last stay")
        // With room again the same batch is taken.
        let third = try restart(server, [])
        #expect(try third.accepted(try Samples.batch(Samples.crash(9))).accepted == 1)
        #expect(try third.client.send("GET", "/readyz").status == 200)
    }

    @Test func `uploaded images that no event needs go last, and only those that have been there for long`() throws {
        let first = try ServerProcess()
        let folder = try TemporaryFolder()
        let programs = try (0..<3).map {
            try BulkyProgram(folder, bulk: 2 << 20, source: "int main(void) { return \($0); }\n")
        }
        for program in programs { #expect(try first.upload(program.data).status == 201) }
        let (needed, old, young) = (programs[0].buildID, programs[1].buildID, programs[2].buildID)
        var event = Samples.crash(1)
        event.threads[0].frames[0].buildID = needed
        event.debugImages[0].buildID = needed
        _ = try first.accepted(try Samples.batch(event))
        _ = try first.event(1)
        first.process.kill(SIGTERM)
        _ = try first.process.wait()
        let store = try SQLEventStore(path: first.folder.path + "/data/vaka.db")
        try store.write { (connection) throws(StoreError) in
            // A month and a day ago.
            try connection.run(
                "UPDATE artifacts SET uploaded_at = uploaded_at - 31 * 86400000 WHERE build_id IN (?, ?)",
                [.text(needed.description), .text(old.description)])
        }
        store.close()
        let server = try ServerProcess(["--disk-budget", "6000000"], folder: first.folder)
        func isThere(_ buildID: BuildID) throws -> Bool {
            let answer = try server.client.send("GET", "/buildid/\(buildID)/debuginfo", headers: server.tokenHeader)
            return answer.status == 200
        }
        try server.eventually { try isThere(old) ? nil : true }
        #expect(try isThere(needed) && isThere(young))
        #expect(
            try server.json("issues/1")["events_kept"] == 1, "events go before images, and the first of an issue never")
        try server.eventually {
            try server.client.send("GET", "/metrics").text.contains("vaka_images_removed_total 1\n") ? true : nil
        }
        try server.eventually { try server.json("limits")["disk"]?["exhausted"] == false ? true : nil }
    }

    private static func integer(_ value: JSONValue) -> Int64? {
        if case .integer(let number) = value { number } else { nil }
    }
}
