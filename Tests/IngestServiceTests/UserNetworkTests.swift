// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import EventStore
@testable import IngestService

/// The network records of one user of the programs: handed out and removed.
struct UserNetworkTests {
    let server: ServerProcess

    init() throws {
        server = try ServerProcess()
    }

    /// An event of the user, its session, and records of the installation.
    private func send(_ number: Int, user: String, install: String, records: Int = 1) throws {
        var event = Samples.crash(number)
        event.user = ["id": .string(user)]
        event.session = Session(id: "s\(number)", started: event.timestamp, status: .crashed)
        let session = String(decoding: try ModelCoding.encode(event.session), as: UTF8.self)
        let items = try (0..<records).map {
            try NetworkSamples.item(NetworkSamples.record("of \(user) \($0)"), id: "r\(number)-\($0)")
        }
        let own = [try Samples.item(event), NetworkSamples.item(session, id: "s\(number)-crashed", kind: "session")]
        _ = try server.send(own + items, install: install, sequence: number)
    }

    private func settle(records: Int) throws {
        _ = try server.list("network", "?limit=200", count: records)
        try server.eventually { try server.client.send("GET", "/readyz").text.contains("\"items\":0") ? true : nil }
    }

    private func ids(_ list: JSONValue?) -> [String] { list?.array.compactMap { $0["requestId"]?.string } ?? [] }

    @Test func `with a user go the records of the installations that the user's events came from`() throws {
        try send(1, user: "ann", install: "one")
        try send(2, user: "bob", install: "two")
        try settle(records: 2)
        #expect(try server.made("DELETE", "/projects/default/user-data?user=ann")["removed_events"] == 1)
        #expect(ids(try server.json("network")["network"]) == ["of bob 0"])
        _ = try server.made("DELETE", "/projects/default/user-data?user=install%20two")
        #expect(try server.json("network")["network"] == [])
    }

    @Test func `they are handed out behind the user's events, whole, and nobody else's`() throws {
        try send(1, user: "ann", install: "one", records: 3)
        try send(2, user: "bob", install: "two", records: 2)
        try send(3, user: "ann", install: "three", records: 1)
        try send(4, user: "ann", install: "one", records: 0)
        try settle(records: 6)
        var (events, records, pages) = ([String](), [String](), 0)
        var cursor: String? = ""
        while let next = cursor {
            let part = try server.made("GET", "/projects/default/user-data?user=ann&limit=2&cursor=\(next)")
            events += part["events"]?.array.compactMap { $0["event_id"]?.string } ?? []
            records += ids(part["network"])
            #expect((part["network"]?.array.count ?? 9) <= 2 && part["capabilities"] == [])
            // All of a record, as its detail has it.
            #expect(part["network"]?.array.allSatisfy { $0["requestBodySize"] == -1 } == true)
            cursor = part["next_cursor"]?.string
            pages += 1
            #expect(pages < 9)
        }
        #expect(events == [4, 3, 1].map { Samples.eventID($0) })
        #expect(records.sorted() == ["of ann 0", "of ann 0", "of ann 1", "of ann 2"])
        let told = try server.made("GET", "/projects/default/user-data?user=nobody")
        #expect(told["network"] == [] && told["events"] == [] && told["next_cursor"] == .null)
        // The command does the same.
        let result = try ChildProcess.run(
            BuildProducts.executable("vaka"),
            ["admin", "data", "export", "ann", "--data", server.folder.path + "/data"])
        #expect(result.status == .exited(0), "\(result.errors)")
        let lines = try result.output.split(separator: "\n").map {
            try ModelCoding.decode(JSONValue.self, from: Data($0.utf8))
        }
        #expect(lines.prefix(3).allSatisfy { $0["event_id"] != nil })
        #expect(lines.dropFirst(3).compactMap { $0["requestId"]?.string }.sorted() == records.sorted())
    }

    @Test func `an installation that comes while they are handed out neither doubles records nor loses any`() throws {
        try send(1, user: "ann", install: "second", records: 3)
        try settle(records: 3)
        let path = "/projects/default/user-data?user=ann&limit=2"
        let first = try server.made("GET", path)
        let cursor = try #require(first["next_cursor"]?.string)
        #expect(ids(first["network"]).count == 2)
        // Its name comes before the other's.
        try send(2, user: "ann", install: "first", records: 2)
        try settle(records: 5)
        let rest = try server.made("GET", path + "&cursor=\(cursor)")
        let handedOut = ids(first["network"]) + ids(rest["network"])
        #expect(handedOut.sorted() == ["of ann 0", "of ann 1", "of ann 2"] && rest["next_cursor"] == .null)
    }

    @Test func `of an installation what it could tell of and what could not be read are handed out and removed, too`()
        throws
    {
        let report = CapabilityReport(
            timestamp: .now, session: "s", capabilities: [CapabilityDescriptor(id: "network.x", state: .supported)])
        let told = String(decoding: try ModelCoding.encode(report), as: UTF8.self)
        for (sequence, install) in ["one", "two"].enumerated() {
            let items = [
                NetworkSamples.item(told, id: "c-\(install)", kind: "capabilities"),
                NetworkSamples.versioned("9", id: "v-\(install)"),
                try NetworkSamples.item(NetworkSamples.record(install), id: "r-\(install)"),
            ]
            _ = try server.send(items, install: install, sequence: sequence + 1)
        }
        _ = try server.list("diagnostics", count: 2)
        try settle(records: 2)
        let path = "/projects/default/user-data?user=install%20one"
        let part = try server.made("GET", path)
        #expect(ids(part["network"]) == ["one"] && part["events"] == [])
        #expect(part["capabilities"]?.array.map { $0["install_id"] } == ["one"])
        #expect(part["diagnostics"]?.array.map { $0["install_id"] } == ["one"])
        #expect(try server.made("DELETE", path)["removed_events"] == 0)
        let left = try server.made("GET", path)
        #expect(left["network"] == [] && left["capabilities"] == [] && left["diagnostics"] == [])
        #expect(try server.json("diagnostics")["diagnostics"]?.array.map { $0["install_id"] } == ["two"])
        // No id is nobody's, and not that of all who told none.
        _ = try server.send([try NetworkSamples.item(NetworkSamples.record("nameless"), id: "r")], install: "")
        try settle(records: 2)
        let nobody = "/projects/default/user-data?user=install%20"
        #expect(try server.made("GET", nobody)["network"] == [])
        _ = try server.made("DELETE", nobody)
        #expect(try server.json("network")["network"]?.array.count == 2)
    }
}
