// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import EventStore
@testable import IngestService

/// Rates by project, key and issue.
struct QuotaTests {
    /// A crash of a build of its own.
    private func crash(_ number: Int, build: String, function: String = "app.f()") -> Event {
        var event = Samples.crash(number, function: function)
        event.debugImages = event.debugImages.map { image in
            var image = image
            image.buildID = BuildID(hex: build)
            return image
        }
        return event
    }

    private func put(_ server: ServerProcess, _ query: String) throws -> JSONValue {
        let answer = try server.client.send(
            "PUT", "/api/v1/projects/default/limits?\(query)", headers: server.tokenHeader)
        #expect(answer.status == 200, "\(answer.text)")
        return try ModelCoding.decode(JSONValue.self, from: answer.body)
    }

    @Test func `what is over a project's quota is turned away, told and counted`() throws {
        let server = try ServerProcess(["--project-rate", "2"])
        _ = try server.accepted(try Samples.batch(Samples.crash(1), Samples.crash(2), Samples.crash(3)))
        let over = try server.ingest(try Samples.batch(Samples.crash(4), Samples.crash(5)))
        #expect(over.status == 429)
        #expect(over.text.contains("over_quota") && over.text.contains("2 items were turned away"))
        let wait = try #require(over.headers["retry-after"].flatMap { Int($0) })
        #expect((1...61).contains(wait), "a debt of one and the first to come, at two a minute: \(wait)")
        let metrics = try server.client.send("GET", "/metrics").text
        #expect(metrics.contains("vaka_items_turned_away_total 2\n"))
        #expect(metrics.contains("vaka_batches_turned_away_total 1\n"))
        let shown = try server.json("limits")
        #expect(shown["per_minute"]?["project_items"] == 2 && shown["per_minute"]?["key_items"] == .null)
        #expect(shown["turned_away"]?["items"] == 2 && shown["turned_away"]?["batches"] == 1)
        _ = try server.event(3)
        #expect(try server.get("events/\(Samples.eventID(4))").status == 404)
    }

    @Test func `the first crash of every build is kept beyond the quota`() throws {
        let server = try ServerProcess(["--key-rate", "1"])
        _ = try server.accepted(try Samples.batch(Samples.crash(1), Samples.crash(2)))
        let batch = try Samples.batch(Samples.crash(3), crash(4, build: "1234"), crash(5, build: "1234"))
        let over = try server.ingest(batch)
        #expect(over.status == 429 && over.text.contains("2 items were turned away, 1 first crashes"), "\(over.text)")
        _ = try server.event(4)
        #expect(try server.accepted(try Samples.batch(crash(6, build: "5678"))).accepted == 1, "it alone is no 429")
        _ = try server.event(6)
        #expect(try server.ingest(batch).status == 429)
        // Without a limit the same batch is taken whole, and what was kept of it is there once.
        _ = try put(server, "key_items=0")
        #expect(try server.accepted(batch).accepted == 3)
        _ = try server.event(5)
        #expect(try server.json("issues/1")["events"] == 6)
    }

    @Test func `a project sets its own limits, and they outlive a restart`() throws {
        let first = try ServerProcess(["--project-rate", "1000"])
        #expect(try put(first, "project_items=1&issue_events=7")["per_minute"]?["project_items"] == 1)
        _ = try first.accepted(try Samples.batch(Samples.crash(1)))
        #expect(try first.ingest(try Samples.batch(Samples.crash(2))).status == 429)
        for wrong in ["project_items=-1", "key_items=many", "issue_events=99999999999999999999"] {
            let answer = try first.client.send(
                "PUT", "/api/v1/projects/default/limits?\(wrong)", headers: first.tokenHeader)
            #expect(answer.status == 400 && answer.text.contains("invalid_limit"))
        }
        first.process.kill(SIGTERM)
        _ = try first.process.wait()
        let second = try ServerProcess(["--project-rate", "1000"], folder: first.folder)
        let shown = try second.json("limits")
        #expect(shown["own"]?["project_items"] == 1 && shown["own"]?["issue_events"] == 7)
        #expect(try put(second, "project_items=default")["per_minute"]?["project_items"] == 1000)
    }

    @Test func `an issue beyond its rate is counted, and not stored`() throws {
        let server = try ServerProcess(["--issue-rate", "3"])
        var elsewhere = Samples.crash(12, function: "app.g()")
        elsewhere.threads[0].frames[0].instructionAddress = HexAddress(0x1800)
        elsewhere.threads[0].frames[0].relativeAddress = HexAddress(0x800)
        let events = (1...10).map { Samples.crash($0) } + [crash(11, build: "1234"), elsewhere]
        _ = try server.accepted(Samples.batch(try events.map { try Samples.item($0) }))
        _ = try server.event(12)
        #expect(try server.json("issues/1")["events"] == 11)
        let stored = try server.json("issues/1/events")["events"]?.array.compactMap { $0["event_id"]?.string } ?? []
        #expect(Set(stored) == Set([1, 2, 3, 11].map(Samples.eventID)), "the first crash of the other build is kept")
        #expect(try server.json("issues/2")["events"] == 1)
        #expect(try server.client.send("GET", "/metrics").text.contains("vaka_events_throttled_total 7\n"))
    }

    @Test func `a bucket gives a minute's worth, waits for its debt and fills again`() {
        let start = ContinuousClock.now
        var bucket = RateBucket(perMinute: 60, now: start)
        #expect(bucket.take(90, perMinute: 60, now: start) == nil, "what begins in time passes whole")
        #expect(bucket.take(1, perMinute: 60, now: start) == 31)
        #expect(bucket.take(1, perMinute: 60, now: start + .seconds(30)) == 1)
        #expect(bucket.take(1, perMinute: 60, now: start + .seconds(31)) == nil)
        #expect(bucket.take(60, perMinute: 60, now: start + .seconds(1000)) == nil, "no more than a minute's worth")
        #expect(bucket.take(1, perMinute: 60, now: start + .seconds(1000)) == 1)
        #expect(bucket.take(1, perMinute: 6000, now: start + .seconds(1000)) == nil, "a new rate begins anew")
    }
}
