// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import IngestService

struct MetricsTests {
    /// Samples by name and labels; throws what Prometheus would not read.
    private func samples(_ text: String) throws -> [String: Double] {
        var types: [String: String] = [:]
        var samples: [String: Double] = [:]
        for line in text.split(separator: "\n") {
            if let type = line.wholeMatch(of: /# TYPE ([a-z_]+) (counter|gauge|histogram)/) {
                try #require(types.updateValue(String(type.2), forKey: String(type.1)) == nil, "\(line)")
                continue
            }
            let sample = try #require(
                line.wholeMatch(of: /([a-z_]+)(\{[a-z_]+="[^"\\]*"(?:,[a-z_]+="[^"\\]*")*\})? ([0-9.e+-]+)/), "\(line)")
            let family = String(sample.1).replacing(/_(bucket|sum|count)$/, with: "")
            try #require(types[String(sample.1)] != nil || types[family] == "histogram", "\(line)")
            let key = String(sample.1) + String(sample.2 ?? "")
            try #require(samples.updateValue(try #require(Double(String(sample.3))), forKey: key) == nil, "\(line)")
        }
        return samples
    }

    @Test func `rates, refusals by reason and times can be read from the metrics`() throws {
        let server = try ServerProcess(["--key-rate", "3"])
        let bad = "{\"kind\":\"event\",\"id\":\"x\",\"payload\":{}}"
        _ = try server.accepted(Samples.batch([try Samples.item(Samples.crash(1)), bad, "7"]))
        _ = try server.accepted(try Samples.batch(Samples.crash(2), Samples.crash(3), Samples.crash(4)))
        #expect(try server.ingest("{").status == 400)
        #expect(try server.ingest(try Samples.batch(Samples.crash(5))).status == 429)
        #expect(try server.client.send("POST", "/api/v1/ingest", headers: [:], body: Data()).status == 401)
        #expect(try server.client.send("GET", "/nowhere").status == 404)
        _ = try server.event(4)
        let found = try samples(try server.client.send("GET", "/metrics").text)
        #expect(found["vaka_items_accepted_total"] == 4)
        #expect(found["vaka_items_refused_total{reason=\"invalid_event\"}"] == 1)
        #expect(found["vaka_items_refused_total{reason=\"invalid_item\"}"] == 1)
        #expect(found["vaka_batches_refused_total{reason=\"malformed_json\"}"] == 1)
        #expect(found["vaka_batches_refused_total{reason=\"over_quota\"}"] == 1)
        #expect(found["vaka_batches_refused_total{reason=\"missing_credentials\"}"] == 1)
        #expect(found["vaka_digest_seconds_count"] == 4)
        #expect(try #require(found["vaka_digest_seconds_sum"]) > 0)
        #expect(found["vaka_spool_lag_seconds"] != nil && found["vaka_spool_items"] == 0)
        #expect(found["vaka_http_request_seconds_count{route=\"ingest\"}"] == 5)
        #expect(found["vaka_http_request_seconds_count{route=\"unknown\"}"] == 1)
        #expect(try #require(found["vaka_http_request_seconds_count{route=\"api\"}"]) >= 1)
    }

    @Test func `a histogram counts what lies under each bound`() throws {
        var histogram = Histogram()
        for seconds in [0.0005, 0.001, 0.3, 100] { histogram.add(seconds) }
        let lines = histogram.lines("t", labels: "a=\"b\"")
        #expect(lines.first == "t_bucket{a=\"b\",le=\"0.001\"} 2")
        #expect(lines.contains("t_bucket{a=\"b\",le=\"0.25\"} 2") && lines.contains("t_bucket{a=\"b\",le=\"0.5\"} 3"))
        #expect(
            lines.suffix(3) == ["t_bucket{a=\"b\",le=\"+Inf\"} 4", "t_sum{a=\"b\"} 100.3015", "t_count{a=\"b\"} 4"])
        #expect(histogram.lines("t", labels: "").last == "t_count 4")
    }

    @Test func `every route is of a class`() {
        let classes = Dictionary(grouping: RouteTable.routes, by: RouteClass.init)
        #expect(classes[.unknown] == nil && classes.count == RouteClass.allCases.count - 1)
        #expect(classes[.operation]?.count == 4 && classes[.ingest]?.count == 1 && classes[.upload]?.count == 3)
    }
}
