// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing
import VakaModel

@testable import EventStore
@testable import IngestService

/// Servers that share a PostgreSQL database.
struct ManyNodesTests {
    private static let rounds = ProcessInfo.processInfo.environment["VAKA_SOAK"] == nil ? 5 : 50

    @Test func `kill -9 of either of two nodes under load loses and doubles nothing, and nothing is stuck`() throws {
        let database = try PostgresTestDatabase()
        let cluster = try Cluster(database.address, nodes: 2)
        let load = Load(cluster, threads: 3)
        var generator = SeededRandom(seed: 8)
        for _ in 0..<Self.rounds {
            try load.wait(forMore: 5 + Int.random(in: 0..<40, using: &generator))
            try cluster.restart(Int.random(in: 0..<2, using: &generator))
        }
        try load.wait(forMore: 5)
        try check(load, cluster, database)
    }

    @Test func `while PostgreSQL is away nothing is taken, and afterwards everything goes on`() throws {
        let server = try PostgresServer()
        let database = try PostgresTestDatabase(on: server)
        let cluster = try Cluster(database.address, nodes: 2)
        let load = Load(cluster, threads: 2)
        try load.wait(forMore: 20)
        try server.stop()
        let node = cluster.node(0)
        let refused = try node.ingest(try Samples.batch(Samples.crash(900_001)))
        #expect(refused.status == 503 && refused.text.contains("store_away"), "\(refused.text)")
        #expect(refused.headers["retry-after"] == "5")
        let readiness = try node.client.send("GET", "/readyz")
        #expect(readiness.status == 503 && readiness.text.contains("store_away"), "\(readiness.text)")
        #expect(try node.client.send("GET", "/healthz").status == 200)
        try server.start()
        try load.wait(forMore: 20)
        try check(load, cluster, database)
        try node.eventually { try node.client.send("GET", "/readyz").status == 200 ? true : nil }
    }

    @Test func `a node whose clock is an hour ahead keeps the time of the database`() throws {
        let database = try PostgresTestDatabase()
        let cluster = try Cluster(database.address, nodes: 1)
        let right = cluster.node(0)
        let ahead = try ServerProcess(
            ["--store", database.address], credentials: right.credentials,
            in: .limited(Self.anHourAhead))
        #expect(try ahead.client.send("GET", "/healthz").headers["date"] != nil)
        // A link is good for less than an hour, whichever node makes it.
        for (made, used) in [(right, ahead), (ahead, right)] {
            let link = try made.client.send("POST", "/api/v1/login-links", headers: made.tokenHeader)
            let url = try #require(try ModelCoding.decode(JSONValue.self, from: link.body)["url"]?.string)
            let path = "/" + url.split(separator: "/").dropFirst(2).joined(separator: "/")
            #expect(try used.client.send("GET", path).headers["set-cookie"] != nil)
        }
        _ = try ahead.accepted(try Samples.batch(Samples.crash(1)))
        _ = try right.accepted(try Samples.batch(Samples.crash(2)))
        _ = try right.event(1)
        _ = try ahead.event(2)
        let times = try database.server.run(
            "SELECT abs(received_at / 1000 - extract(epoch FROM now())) < 300 FROM events", in: database.name)
        #expect(times == ["t", "t"])
        // Both are alive in each other's eyes: neither takes what the other works on.
        let alive = try database.server.run(
            "SELECT alive_until / 1000 - extract(epoch FROM now()) BETWEEN 0 AND 16 FROM nodes", in: database.name)
        #expect(alive == ["t", "t"])
    }

    @Test func `nodes that start together on an empty database have one project, whose credentials one of them has`()
        async throws
    {
        let database = try PostgresTestDatabase()
        let folders = try (0..<3).map { _ in try TemporaryFolder() }
        let nodes = try folders.map { folder in
            try ChildProcess(
                BuildProducts.executable("vaka-server"),
                [
                    "--data", folder.path + "/data", "--listen", "127.0.0.1:0", "--no-system", "--store",
                    database.address,
                ]
            )
        }
        defer { nodes.forEach { $0.kill(SIGKILL) } }
        for node in nodes { try node.waitForOutput("listening on http") }
        #expect(try database.server.run("SELECT slug FROM projects", in: database.name) == ["default"])
        #expect(folders.filter { $0.entries("data").contains("credentials.json") }.count == 1)
        let administration = try ChildProcess.run(
            BuildProducts.executable("vaka-server"), ["admin", "project", "list", "--store", database.address])
        #expect(administration.output == "default\n", "\(administration.errors)")
        for node in nodes {
            node.kill(SIGTERM)
            #expect(try node.wait().status == .exited(0))
        }
        #expect(try database.server.run("SELECT count(*) FROM nodes", in: database.name) == ["0"])
    }

    /// The server ends with the program that sets its clock.
    private static let anHourAhead = """
        export FAKETIME_DONT_FAKE_MONOTONIC=1 && set -- faketime -f +1h setpriv --pdeathsig KILL "$@"
        """

    /// Every item that was answered 202 is stored once, and nobody holds anything.
    private func check(_ load: Load, _ cluster: Cluster, _ database: PostgresTestDatabase) throws {
        let acknowledged = try load.finish()
        let node = cluster.node(0)
        let issue =
            try node.eventually(seconds: 60) {
                guard case .integer(let id)? = try node.json("issues")["issues"]?.array.first?["id"] else { return nil }
                return id
            } as Int64
        let stored = try node.eventually(seconds: 120) {
            let listed = try node.allEvents(ofIssue: issue)
            return listed.count >= acknowledged.count ? listed : nil
        }
        #expect(Set(stored).isSuperset(of: acknowledged.map(Samples.eventID)))
        #expect(Set(stored).count == stored.count, "none is stored twice")
        try node.eventually(seconds: 60) {
            let left = try database.server.run(
                "SELECT (SELECT count(*) FROM spool) + (SELECT count(*) FROM event_holds)", in: database.name)
            return left == ["0"] ? true : nil
        }
        let all = try node.allEvents(ofIssue: issue)
        #expect(try node.json("issues/\(issue)")["events"] == .integer(Int64(all.count)))
    }
}
