// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import IngestService

struct IngestTests {
    @Test func `a crash that is sent is an issue and an event`() throws {
        let server = try ServerProcess()
        #expect(try server.accepted(try Samples.batch(Samples.crash(1), Samples.crash(2))).accepted == 2)
        #expect(try server.event(1).reason?.signal == "SIGSEGV")
        _ = try server.event(2)
        let issues = try server.json("issues")["issues"]?.array ?? []
        #expect(issues.count == 1)
        #expect(issues.first?["events"] == 2)
        #expect(issues.first?["title"] == "Access to an invalid address in app.f()")
        let grouping = try server.json("events/\(Samples.eventID(1))/grouping")
        #expect(grouping["keys"]?.array.first?["material"]?.array == ["crash", "app.f()"])
        let releases = try server.json("releases")["releases"]?.array ?? []
        #expect(releases.first?["release"] == "app@1.0")
        #expect(releases.first?["crashes"] == 2)
    }

    @Test func `a repeated batch is answered alike and stored once`() throws {
        let server = try ServerProcess()
        let batch = try Samples.batch(Samples.crash(1), Samples.crash(2))
        for _ in 0..<3 { #expect(try server.accepted(batch).accepted == 2) }
        _ = try server.event(2)
        #expect(try server.accepted(batch).accepted == 2)
        _ = try server.accepted(try Samples.batch(Samples.crash(3)))
        _ = try server.event(3)
        #expect(try server.json("issues/1")["events"] == 3)
    }

    @Test(arguments: ["gzip", "zstd"]) func `a compressed batch is taken`(_ format: String) throws {
        let server = try ServerProcess()
        let body = Data(try Samples.batch(Samples.crash(1)).utf8)
        let compressed =
            format == "zstd"
            ? try Zstandard.compress(body)
            : try ChildProcess.run("/usr/bin/env", ["gzip", "-c"], input: body).outputData
        let headers = server.keyHeader.merging(["Content-Encoding": format]) { first, _ in first }
        #expect(try server.client.send("POST", "/api/v1/ingest", headers: headers, body: compressed).status == 202)
        _ = try server.event(1)
        let cut = try server.client.send("POST", "/api/v1/ingest", headers: headers, body: compressed.dropLast(9))
        #expect(cut.status == 400)
        #expect(cut.text.contains("malformed_\(format)"))
        let junk = try server.client.send("POST", "/api/v1/ingest", headers: headers, body: body)
        #expect(junk.status == 400)
    }

    @Test(arguments: ["gzip", "zstd"]) func `a bomb is refused before it grows`(_ format: String) throws {
        let server = try ServerProcess(["--max-body", "200000"])
        let zeros = Data(repeating: 0x20, count: 120 << 20)
        let bomb =
            format == "zstd"
            ? try Zstandard.compress(zeros)
            : try ChildProcess.run("/usr/bin/env", ["gzip", "-9c"], input: zeros).outputData
        #expect(bomb.count < 200_000)
        let headers = server.keyHeader.merging(["Content-Encoding": format]) { first, _ in first }
        let response = try server.client.send("POST", "/api/v1/ingest", headers: headers, body: bomb)
        #expect(response.status == 413)
        #expect(response.text.contains("104857600"), "the limit is told")
    }

    @Test func `good items are taken beside bad ones, each with a reason`() throws {
        let server = try ServerProcess()
        let items = [
            "{\"kind\":\"event\",\"id\":\"bad\",\"payload\":{\"event_id\":5}}",
            try Samples.item(Samples.crash(1)),
            "{\"kind\":\"event\",\"payload\":{}}",
            "17",
            "{\"kind\":\"from_the_future\",\"id\":\"f\",\"payload\":{\"x\":[1,2]}}",
            try Samples.item(Samples.crash(2)).replacing("\"schema_version\":1", with: "\"schema_version\":2"),
            "{\"kind\":\"event\",\"id\":\"short\",\"payload\":{\"schema_version\":1,\"event_id\":\"zz\",\"type\":\"crash\","
                + "\"timestamp\":\"2026-01-01T00:00:00Z\",\"platform\":\"linux\",\"level\":\"fatal\"}}",
        ]
        let reply = try server.accepted(Samples.batch(items))
        #expect(reply.accepted == 2)
        #expect(reply.rejected.map(\.index) == [0, 2, 3, 5, 6])
        #expect(
            reply.rejected.map(\.code) == [
                "invalid_event", "invalid_item", "invalid_item", "unsupported_schema_version", "invalid_event",
            ])
        #expect(reply.rejected.allSatisfy { !$0.reason.isEmpty })
        _ = try server.event(1)
    }

    @Test func `a crash of another architecture is named, and its neighbour taken`() throws {
        let server = try ServerProcess()
        var foreign = Samples.crash(1)
        foreign.arch = "riscv64"
        let reply = try server.accepted(Samples.batch(foreign, Samples.crash(2)))
        #expect(reply.accepted == 1)
        #expect(reply.rejected.map(\.code) == ["unsupported_architecture"])
        #expect(reply.rejected.first?.reason.contains("riscv64") == true)
    }

    @Test func `a newer batch is rejected item by item`() throws {
        let server = try ServerProcess()
        let batch = try Samples.batch(Samples.crash(1)).replacing(
            "{\"schema_version\":1,\"install_id\"", with: "{\"schema_version\":9,\"install_id\"")
        let reply = try server.accepted(batch)
        #expect(reply.accepted == 0)
        #expect(reply.rejected.map(\.code) == ["unsupported_schema_version"])
    }

    @Test(arguments: [
        ("{\"items\":[}", "malformed_json"), ("", "malformed_json"), ("[]", "malformed_batch"),
        ("{}", "malformed_batch"),
        ("{\"items\":{}}", "malformed_batch"), ("{\"items\":[]} x", "malformed_json"), ("null", "malformed_batch"),
        ("{\"items\":[\"\\q\"]}", "malformed_json"), (String(repeating: "[", count: 100_000), "malformed_json"),
        ("\u{0}", "malformed_json"), ("{\"items\":[01]}", "malformed_json"),
    ]) func `a malformed body is refused`(_ body: String, _ code: String) throws {
        let server = try ServerProcess()
        let response = try server.ingest(body)
        #expect(response.status == 400)
        #expect(try ModelCoding.decode(ErrorReply.self, from: response.body).error.code == code)
    }

    @Test func `the place of a JSON error is told`() throws {
        let server = try ServerProcess()
        let response = try server.ingest("{\"items\": [\n  nope]}")
        #expect(response.text.contains("at byte 15 (line 2, column 4)"), "\(response.text)")
    }

    @Test func `a body beyond the limit is refused with the limit told, and the next is taken`() throws {
        let server = try ServerProcess(["--max-body", "2048"])
        let declared = try server.ingest(String(repeating: " ", count: 5000))
        #expect(declared.status == 413)
        #expect(declared.text.contains("2048"))
        let pieces = (0..<100).map { _ in "64\r\n" + String(repeating: " ", count: 100) + "\r\n" }.joined()
        let head =
            "POST /api/v1/ingest HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer \(server.credentials.ingestKey)\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n"
        let chunked = try server.client.exchange(Data((head + pieces + "0\r\n\r\n").utf8))
        #expect(String(decoding: chunked, as: UTF8.self).hasPrefix("HTTP/1.1 413"))
        #expect(try server.accepted(try Samples.batch(Samples.crash(1))).accepted == 1)
    }

    @Test func `media types and encodings that are not read are named`() throws {
        let server = try ServerProcess()
        let xml = try server.ingest("<x/>", headers: ["Content-Type": "text/xml"])
        #expect(xml.status == 415)
        #expect(xml.text.contains("text/xml"))
        let brotli = try server.ingest("{}", headers: ["Content-Encoding": "br"])
        #expect(brotli.status == 415)
        #expect(brotli.text.contains("zstd"))
    }

    @Test func `a full spool asks senders to wait`() throws {
        let server = try ServerProcess(["--max-spool", "1"])
        // The bound is looked at before a batch is taken: it fills with batches that arrive faster than they are worked on.
        let items = try (0..<200).map { try Samples.item(Samples.crash($0)) }
        _ = try server.accepted(Samples.batch(items))
        let response = try server.ingest(try Samples.batch(Samples.crash(500)))
        #expect(response.status == 429)
        #expect(response.headers["retry-after"] == "30")
        _ = try server.event(199)
        #expect(
            try server.eventually {
                try server.ingest(try Samples.batch(Samples.crash(500))).status == 202 ? true : nil
            })
    }

    @Test func `settings are given to programs, and only once`() throws {
        let server = try ServerProcess()
        let first = try server.client.send("GET", "/api/v1/sdk-settings", headers: server.keyHeader)
        #expect(first.text.contains("\"schema_version\":1,\"settings\":{},\"version\":\""))
        let tag = try #require(first.headers["etag"])
        let again = try server.client.send(
            "GET", "/api/v1/sdk-settings",
            headers: server.keyHeader.merging(["If-None-Match": tag]) { first, _ in first })
        #expect(again.status == 304)
    }

    @Test func `sessions and client reports are counted`() throws {
        let server = try ServerProcess()
        let start = Session(
            id: "s1", started: Timestamp(milliseconds: 1_700_000_000_000), status: .ok, release: "app@1.0")
        var end = start
        end.status = .crashed
        end.window = 3600
        end.requests = ["ok": 7, "errored": 2]
        var other = end
        other.id = "s2"
        other.status = .exited
        let items = try [start, end, other].map { session in
            "{\"kind\":\"session\",\"id\":\"\(session.id)-\(session.status)\",\"payload\":\(String(decoding: try ModelCoding.encode(session), as: UTF8.self))}"
        }
        let report =
            "{\"kind\":\"client_report\",\"id\":\"r\",\"payload\":{\"discarded\":[{\"reason\":\"queue_full\",\"quantity\":3}]}}"
        #expect(try server.accepted(Samples.batch(items + [report])).accepted == 4)
        _ = try server.eventually {
            let release = try server.json("releases")["releases"]?.array.first
            return release?["crashed_sessions"] == 1 && release?["sessions"] == 2
                && release?["requests"] == ["ok": 14, "errored": 4] ? true : nil
        }
    }
}
