// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import IngestService

/// Retention by age and by number, through the real server.
struct RetentionServiceTests {
    private func put(_ server: ServerProcess, _ query: String) throws -> HTTPClient.Response {
        try server.client.send("PUT", "/api/v1/projects/default/limits?\(query)", headers: server.tokenHeader)
    }

    /// Crashes of two problems, stored in this order.
    private func fill(_ server: ServerProcess, _ count: Int) throws {
        let events = (1...count).map { number in
            number % 10 == 0 ? other(number) : Samples.crash(number)
        }
        _ = try server.accepted(Samples.batch(try events.map { try Samples.item($0) }))
        _ = try server.event(count)
    }

    private func other(_ number: Int) -> Event {
        var event = Samples.crash(number, function: "app.g()")
        event.threads[0].frames[0].instructionAddress = HexAddress(0x1800)
        event.threads[0].frames[0].relativeAddress = HexAddress(0x800)
        return event
    }

    private func events(_ server: ServerProcess, of issue: Int) throws -> [String] {
        try server.json("issues/\(issue)/events?limit=200")["events"]?.array.compactMap { $0["event_id"]?.string } ?? []
    }

    @Test(arguments: [false, true]) func `a round is done when somebody asks for it, by the server's limits`(
        inPostgres: Bool
    ) throws {
        let database = inPostgres ? try PostgresTestDatabase() : nil
        let store = database.map { ["--store", $0.address] } ?? []
        let server = try ServerProcess(["--keep-issue-events", "3"] + store)
        let place = inPostgres ? store : ["--data", server.folder.path + "/data"]
        func retention() throws -> ChildProcess.Result {
            try ChildProcess.run(BuildProducts.executable("vaka"), ["admin", "retention"] + place)
        }
        try fill(server, 20)
        #expect(try events(server, of: 1).count == 18)
        let first = try retention()
        #expect(first.status == .exited(0) && first.output.hasPrefix("removed 15 events and "), "\(first)")
        #expect(try events(server, of: 1) == [19, 18, 1].map(Samples.eventID))
        #expect(try retention().output.hasPrefix("removed 0 events and "))
        server.process.kill(SIGTERM)
        _ = try server.process.wait()
        let alone = try retention()
        #expect(alone.status == .exited(1) && alone.errors.contains("no server has begun"), "\(alone)")
        // What was asked for meanwhile is done.
        let next = try ServerProcess(["--keep-issue-events", "2"] + store, folder: server.folder)
        try next.eventually { try events(next, of: 1).count == 2 ? true : nil }
    }

    @Test func `beyond the number that an issue may have, the newest and the first are kept`() throws {
        let server = try ServerProcess(["--keep-issue-events", "3"])
        try fill(server, 20)
        // The round at the start found nothing yet; a project that sets a limit gets one at once.
        #expect(try put(server, "keep_issue_events=4").status == 200)
        let kept = try server.eventually { () -> [String]? in
            let events = try events(server, of: 1)
            return events.count == 4 ? events : nil
        }
        #expect(kept == [19, 18, 17, 1].map(Samples.eventID))
        #expect(try events(server, of: 2) == [20, 10].map(Samples.eventID))
        let issue = try server.json("issues/1")
        #expect(issue["events"] == 18 && issue["events_kept"] == 4)
        let shown = try server.json("limits")
        #expect(shown["keep"]?["issue_events"] == 4 && shown["own_keep"]?["issue_events"] == 4)
        #expect(shown["kept"]?["events"] == 6 && shown["kept"]?["of"] == 20)
        // Counted when the round over an issue has ended.
        let metrics = try server.eventually { () -> String? in
            let text = try server.client.send("GET", "/metrics").text
            return text.contains("vaka_events_removed_total{rule=\"number\"} 14\n") ? text : nil
        }
        #expect(metrics.components(separatedBy: "# TYPE vaka_events_removed_total counter\n").count == 2)
        let page = try server.client.send("GET", "/issues/1", headers: try server.session())
        #expect(page.text.contains("18 events (4 kept)"))
        #expect(try server.get("events/\(Samples.eventID(5))").status == 404)
    }

    @Test func `a project's number of events holds over all of its issues`() throws {
        let server = try ServerProcess()
        try fill(server, 20)
        #expect(try put(server, "keep_events=8").status == 200)
        _ = try server.eventually { try server.json("limits")["kept"]?["events"] == 8 ? true : nil }
        #expect(try events(server, of: 1) == [19, 18, 17, 16, 15, 1].map(Samples.eventID))
        #expect(try put(server, "keep_days=36501").text.contains("a number of days up to 36500"))
        #expect(try put(server, "keep_events=default").status == 200)
        #expect(try server.json("limits")["keep"]?["events"] == .null)
    }

    @Test func `a kill while events are removed leaves whole issues, and the next start goes on`() throws {
        let first = try ServerProcess()
        for start in stride(from: 0, to: 1000, by: 500) {
            let items = try (start + 1...start + 500).map { try Samples.item(Samples.crash($0)) }
            _ = try first.accepted(Samples.batch(items))
        }
        _ = try first.event(1000)
        #expect(try put(first, "keep_issue_events=2").status == 200)
        first.process.kill(SIGKILL)
        _ = try first.process.wait()
        let second = try ServerProcess(folder: first.folder)
        _ = try second.eventually { try second.json("issues/1")["events_kept"] == 2 ? true : nil }
        #expect(try events(second, of: 1) == [1000, 1].map(Samples.eventID))
        #expect(try second.json("issues/1")["events"] == 1000)
    }

    @Test func `steps grow while they are short, shrink when they are long, and leave as much time as they took`() {
        var pace = Pace()
        let first = pace.size
        #expect(pace.took(.milliseconds(1)) == 0.001)
        #expect(pace.size == first * 2)
        #expect(pace.took(.milliseconds(40)) == 0.04)
        #expect(pace.size == first)
        for _ in 1...20 { _ = pace.took(.seconds(3)) }
        #expect(pace.size == 1 && pace.took(.seconds(3)) == 1)
    }
}
