// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import VakaModel

/// The account of what came, what came again, and what never did.
struct InstallationTests {
    private func send(_ server: ServerProcess, _ install: String, _ sequences: Int...) throws {
        for sequence in sequences {
            let reply = try server.ingest(
                """
                {"schema_version": 1, "sdk": {"name": "x", "version": "1"}, "install_id": "\(install)",
                 "sequence": \(sequence), "sent_at": "2026-01-01T00:00:00Z",
                 "items": [{"kind": "track", "id": "\(install)-\(sequence)", "payload": {}}]}
                """)
            #expect(reply.status == 202)
        }
    }

    private func installations(_ server: ServerProcess, _ query: String = "") throws -> JSONValue {
        try ModelCoding.decode(JSONValue.self, from: try server.get("installations" + query).body)
    }

    @Test func `gaps and duplicates are counted for each installation`() throws {
        let server = try ServerProcess()
        // Crashes overtake others; what was given up leaves a gap.
        try send(server, "one", 1, 2, 4, 3, 3, 9, 8, 20)
        try send(server, "two", 5)
        let list = try installations(server)["installations"]?.array ?? []
        #expect(list.map { $0["install_id"] } == ["two", "one"])
        let one = try #require(list.last)
        #expect(one["batches"] == 7 && one["duplicates"] == 1 && one["missing"] == 13)
        #expect(one["latest_sequence"] == 20)
        #expect(one["gaps"] == [["first": 5, "last": 7], ["first": 10, "last": 19]])
        #expect(list.first?["gaps"] == [] && list.first?["missing"] == 0)
        // What came late is missing no more.
        try send(server, "one", 6, 5, 7)
        #expect(try installations(server)["installations"]?.array.first?["gaps"] == [["first": 10, "last": 19]])
    }

    @Test func `many gaps are bounded, and the latest are told`() throws {
        let server = try ServerProcess()
        for number in 0..<300 { try send(server, "one", number * 2 + 1) }
        let one = try #require(try installations(server)["installations"]?.array.first)
        #expect(one["batches"] == 300 && one["missing"] == 255)
        #expect(one["gaps"]?.array.count == 50)
        #expect(one["gaps"]?.array.last == ["first": 598, "last": 598])
    }

    @Test func `a list goes on where it ended`() throws {
        let server = try ServerProcess()
        for name in ["a", "b", "c"] { try send(server, name, 1) }
        let first = try installations(server, "?limit=2")
        #expect(first["installations"]?.array.map { $0["install_id"] } == ["c", "b"])
        let cursor = try #require(first["next_cursor"]?.string)
        let second = try installations(server, "?limit=2&cursor=\(cursor)")
        #expect(second["installations"]?.array.map { $0["install_id"] } == ["a"])
    }

    @Test func `a batch without an origin is taken, and what programs gave up is told by reason`() throws {
        let server = try ServerProcess()
        let report = """
            {"kind": "client_report", "id": "1", "payload": {"timestamp": "2026-01-01T00:00:00Z",
             "dropped": [{"reason": "queue_overflow", "kind": "event", "count": 3}]}}
            """
        #expect(try server.ingest("{\"items\": [\(report)]}").status == 202)
        #expect(try server.ingest("{\"install_id\": 7, \"sequence\": -1, \"items\": []}").status == 202)
        #expect(try installations(server)["installations"] == [])
        let losses = try server.eventually { () -> JSONValue? in
            let losses = try ModelCoding.decode(JSONValue.self, from: try server.get("losses").body)["losses"]
            return losses == [:] ? nil : losses
        }
        #expect(losses == ["dropped.queue_overflow": 3])
    }
}
