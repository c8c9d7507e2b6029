// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import EventStore
@testable import IngestService

/// Network records from the wire to the answers.
struct NetworkIngestTests {
    @Test func `a record is listed without headers and bodies, and has them in its detail`() throws {
        let server = try ServerProcess()
        #expect(try server.send([NetworkSamples.item(FullNetworkRecord.make(), id: "1")]).accepted == 1)
        let summary = try #require(try server.list("network", count: 1).first)
        for absent in [
            "requestHeaders", "responseHeaders", "requestBody", "responseBody", "requestBodySize", "responseBodySize",
        ] {
            #expect(summary[absent] == nil)
        }
        #expect(summary["protocol"] == "https" && summary["requestId"] == "request-1" && summary["installId"] == "i")
        let row = try #require(summary["id"]?.row)
        let detail = try server.json("network/\(row)")
        #expect(detail["requestBody"] == "{\"a\": \"😀\"}" && detail["requestBodySize"] == 70_000)
        #expect(detail["requestHeaders"]?["Accept"] == "*/*" && detail["statusCode"] == 503)
        #expect(detail["metadata"]?["nested"] == ["a": [1, .null]], "metadata are as they came")
        // The row's number is not the exchange's id.
        #expect(try server.get("network/request-1").status == 404)
        #expect(try server.get("network/99").status == 404)
        #expect(try server.client.send("GET", "/api/v1/projects/default/network").status == 401)
    }

    @Test func `credentials and parts of addresses do not come through, from records and from events`() throws {
        let server = try ServerProcess()
        var record = NetworkSamples.record("r", url: "https://ann:zq7k@h/p?zq7k=1#zq7k")
        record.path = "/p?zq7k"
        record.requestHeaders = [
            "AUTHORIZATION": "zq7k", "proxy-Authorization": "zq7k", "Cookie": "zq7k", "X-API-Key": "zq7k",
            "X-Auth-Token": "zq7k", "x-csrf-token": "zq7k", " Cookie ": "zq7k", "Accept": "kept",
        ]
        record.responseHeaders = ["Set-Cookie": "zq7k"]
        var event = Samples.crash(1)
        event.network = NetworkHistory([record])
        #expect(try server.send([NetworkSamples.item(record, id: "1"), Samples.item(event)]).accepted == 2)
        let row = try #require(try server.list("network", count: 1).first)
        let id = try #require(row["id"]?.row)
        let detail = try server.get("network/\(id)").text
        #expect(!detail.contains("zq7k") && detail.contains("kept"))
        #expect(detail.components("<redacted>") == 8 && detail.contains("\"url\":\"https://h/p\""))
        let stored = try server.event(1)
        #expect(stored.network?.exchanges.first?.url == "https://h/p")
        #expect(!(try server.get("events/\(Samples.eventID(1))").text.contains("zq7k")))
        // Nor are they in what waited for it.
        #expect(try StoredContents.files(server.folder.path).firstRange(of: Data("zq7k".utf8)) == nil)
    }

    @Test func `a project that opts in keeps addresses whole, and its programs are told`() throws {
        let server = try ServerProcess()
        _ = try server.made("PUT", "/projects/default/scrubbing", ["off": ["url-parts"]])
        let told = try server.client.send("GET", "/api/v1/sdk-settings", headers: server.keyHeader)
        #expect(told.text.contains("\"network_keep_url_parts\":true"))
        // It is nobody's to be set here.
        _ = try server.made("POST", "/projects/default/sdk-settings", ["network_keep_url_parts": false])
        #expect(try server.json("sdk-settings")["settings"] == ["network_keep_url_parts": true])
        try server.eventually {
            let id = "r\(Int.random(in: 0 ... .max))"
            _ = try server.send([NetworkSamples.item(NetworkSamples.record(id, url: "https://h/p?q=1#f"), id: id)])
            let list = try server.json("network")["network"]?.array ?? []
            return list.contains { $0["url"] == "https://h/p?q=1#f" } ? true : nil
        }
    }

    @Test(arguments: ["2", "-1", "1.5", "null", "\"one\"", "true"])
    func `a record of another version leaves no row, and the rest of its batch is taken`(version: String) throws {
        let server = try ServerProcess()
        let reply = try server.send([
            NetworkSamples.versioned(version, id: "bad"), NetworkSamples.versioned("1", id: "new"),
            NetworkSamples.versioned("0", id: "old"),
        ])
        #expect(reply.accepted == 2 && reply.rejected.map(\.code) == ["sdk_network_schema_unsupported"])
        #expect(reply.rejected.map(\.index) == [0])
        #expect(try server.list("network", count: 2).allSatisfy { $0["url"] == "http://h/p" })
        let diagnostic = try #require(try server.list("diagnostics", count: 1).first)
        #expect(diagnostic["level"] == "warning" && diagnostic["tag"] == "SdkNetworkWire")
        #expect(diagnostic["code"] == "sdk_network_schema_unsupported" && diagnostic["install_id"] == "i")
        let message = try ModelCoding.decode(
            NetworkSchemaDiagnostic.self, from: Data((diagnostic["message"]?.string ?? "").utf8))
        #expect(message.supportedVersion == 1 && message.bundleID == "default" && message.suppressedCount == nil)
        #expect(message.receivedVersion == version.replacing("\"", with: ""))
        #expect(server.process.errorsSoFar.contains("sdk_network_schema_unsupported"))
    }

    @Test func `a version is a text of whoever sent it, and is told without secrets`() throws {
        let server = try ServerProcess()
        let reply = try server.send([NetworkSamples.versioned(#""password=zq7k""#, id: "1")])
        #expect(reply.rejected.first?.reason.contains("password=[scrubbed: secret]") == true)
        let diagnostic = try #require(try server.list("diagnostics", count: 1).first)
        #expect(diagnostic["message"]?.string?.contains("password=[scrubbed: secret]") == true)
        #expect(!server.process.errorsSoFar.contains("zq7k"))
        #expect(try StoredContents.files(server.folder.path).firstRange(of: Data("zq7k".utf8)) == nil)
    }

    @Test func `a batch of nothing but refused records is told of, once for each installation and version`() throws {
        let server = try ServerProcess()
        for sequence in 1...3 {
            let items = (0..<5).map { NetworkSamples.versioned("7", id: "\(sequence) \($0)") }
            let reply = try server.send(items, sequence: sequence)
            #expect(reply.accepted == 0 && reply.rejected.count == 5)
        }
        _ = try server.send([NetworkSamples.versioned("8", id: "x")], sequence: 4)
        _ = try server.send([NetworkSamples.versioned("7", id: "y")], install: "other")
        let all = try server.list("diagnostics", count: 3)
        #expect(Set(all.map { $0["install_id"]?.string }) == ["i", "other"])
        #expect(try server.json("network")["network"] == [])
    }

    @Test(arguments: [
        #"{"url":"u","method":"GET"}"#, #"{"timestamp":"2026-01-31T12:00:00Z","url":5,"method":"GET"}"#, "[]", "null",
        #"{"eventType":"log","timestamp":"2026-01-31T12:00:00Z","url":"u","method":"GET"}"#,
    ]) func `what is no record is refused with the place of the fault`(payload: String) throws {
        let server = try ServerProcess()
        let reply = try server.send([NetworkSamples.item(payload, id: "1")])
        #expect(reply.rejected.map(\.code) == ["invalid_network"] && reply.accepted == 0)
        #expect(try server.json("diagnostics")["diagnostics"] == [])
    }

    @Test func `no batch brings the service's own items`() throws {
        let server = try ServerProcess()
        let reply = try server.send([NetworkSamples.item("{}", id: "1", kind: "vaka.diagnostic")])
        #expect(reply.rejected.map(\.code) == ["invalid_item"])
    }

    @Test func `kill -9 loses no record that was acknowledged, and what is sent again is there once`() throws {
        var server = try ServerProcess()
        let folder = server.folder
        var sent: [String] = []
        for round in 0..<4 {
            for number in 0..<20 {
                let id = "\(round)-\(number)"
                #expect(try server.send([NetworkSamples.item(NetworkSamples.record(id), id: id)]).accepted == 1)
                sent.append(id)
            }
            server.process.kill(SIGKILL)
            _ = try server.process.wait()
            server = try ServerProcess(folder: folder)
            // The last of them once more: the answer may not have come through.
            _ = try server.send([NetworkSamples.item(NetworkSamples.record(sent.last!), id: sent.last!)])
        }
        let list = try server.list("network", "?limit=200", count: sent.count)
        #expect(list.compactMap { $0["requestId"]?.string }.sorted() == sent.sorted())
    }

    @Test func `times of a route are exact percentiles, with failures and sizes`() throws {
        let server = try ServerProcess()
        let items = try (1...100).map { number in
            var record = NetworkSamples.record(
                "r\(number)", phase: .completed, url: "https://api.example/users/\(number)",
                status: number > 95 ? 500 : 200, milliseconds: Double(101 - number))
            record.responseBodySize = number % 2 == 0 ? Int64(number) : nil
            return try NetworkSamples.item(record, id: "\(number)")
        }
        let started = try NetworkSamples.item(NetworkSamples.record("s", phase: .started), id: "s")
        // Of a host that is not measured: listed, and not counted.
        var leftOut = NetworkSamples.record(
            "x", phase: .completed, url: "https://api.example/users/7", milliseconds: 9000)
        leftOut.metadata?[NetworkMetadata.measured] = false
        #expect(leftOut.metadata != nil)
        #expect(try server.send([try NetworkSamples.item(leftOut, id: "x")] + items + [started]).accepted == 102)
        _ = try server.list("network", "?state=live", count: 1)
        let route = try server.eventually { () -> JSONValue? in
            let route = try server.json("network-routes?days=1")["routes"]?.array.first
            return route?["exchanges"] == 100 ? route : nil
        }
        #expect(route["site"] == "api.example" && route["route"] == "GET /users/{id}" && route["errors"] == 5)
        #expect(route["p50Ms"] == 50 && route["p95Ms"] == 95 && route["p99Ms"] == 99)
        #expect(route["meanResponseBodySize"] == 51 && route["meanRequestBodySize"] == .null)
        #expect(try server.get("network-routes?days=0").status == 400)
        #expect(try server.get("network?state=odd").status == 400)
        #expect(try server.get("network?slow_ms=x").status == 400)
        #expect(try server.list("network", "?state=slow&slow_ms=99", count: 3).count == 3)
        #expect(try server.list("network", "?state=error", count: 5).count == 5)
    }

    @Test func `rules that come later are applied to stored records`() throws {
        let server = try ServerProcess()
        var record = NetworkSamples.record("r", url: "https://h/ORD-1")
        record.requestHeaders = ["X-Order": "ORD-2"]
        record.responseBody = "about ORD-3"
        record.metadata = ["order": "ORD-4"]
        record.contentType = "x/ORD-7"
        (record.error, record.path) = ("no ORD-5", "/ORD-6")
        _ = try server.send([NetworkSamples.item(record, id: "1")])
        _ = try server.list("network", count: 1)
        _ = try server.made(
            "PUT", "/projects/default/scrubbing", ["rules": [["name": "order", "pattern": "ORD-[0-9]+"]]])
        var cursor = ""
        repeat {
            let part = try server.made("POST", "/projects/default/scrubbing/apply?cursor=\(cursor)")
            cursor = part["next_cursor"]?.string ?? ""
        } while !cursor.isEmpty
        let detail = try server.get("network/1").text
        #expect(!detail.contains("ORD-") && detail.components("[scrubbed: order]") == 8)
    }
}

extension String {
    /// How often a text is in it.
    func components(_ text: String) -> Int { ranges(of: text).count }
}
