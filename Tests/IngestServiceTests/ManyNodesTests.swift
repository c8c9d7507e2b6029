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
    private static let rounds = Soak.isOn ? 50 : 5

    /// Every third crash can be read with an image only that is in the S3 store, and in no cache after a restart.
    @Test func `kill -9 of either of two nodes under load loses and doubles nothing, and nothing is stuck`() throws {
        let database = try PostgresTestDatabase()
        let cluster = try Cluster(database.address, blobs: try BlobHome(.s3), nodes: 2)
        let folder = try TemporaryFolder()
        let builds = try (1...3).map { try BuiltProgram(folder, padding: "int filler[\($0)];") }
        for (number, build) in builds.enumerated() {
            #expect(try cluster.node(number % 2).upload(build.data).status == 201)
        }
        let load = Load(cluster, threads: 3) { number in
            number % 3 == 0 ? try builds[number / 3 % 3].crash(number) : Samples.crash(number)
        }
        var generator = SeededRandom(seed: 8)
        for _ in 0..<Self.rounds {
            try load.wait(forMore: 5 + Int.random(in: 0..<40, using: &generator))
            try cluster.restart(Int.random(in: 0..<2, using: &generator))
        }
        try load.wait(forMore: 5)
        let numbers = try check(load, cluster, database)
        let ofBuilds = numbers.filter { $0 % 3 == 0 }
        for number in ofBuilds {
            let functions = try cluster.node(number % 2).event(number).threads[0].frames.map(\.function)
            #expect(functions == ["fail", "main"], "the event \(number)")
        }
        if Soak.isOn {
            print("\(Self.rounds) kills, \(numbers.count) events, \(ofBuilds.count) read with images of S3")
        }
    }

    @Test func `while PostgreSQL is away nothing is taken, and afterwards everything goes on`() throws {
        let server = try PostgresServer()
        let database = try PostgresTestDatabase(on: server)
        let cluster = try Cluster(database.address, nodes: 2)
        let load = Load(cluster, threads: 2)
        try load.wait(forMore: 20)
        try server.stop()
        let node = cluster.node(0)
        // A client of another kind: the command, with a crash that it found.
        let storage = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: storage.path + "/crashes", withIntermediateDirectories: true)
        try Data(SampleRecord.bytes()).write(to: URL(filePath: storage.path + "/crashes/1.vakacrash"))
        let submit = ["submit", storage.path, "--url", node.credentials.url, "--key", node.credentials.ingestKey]
        let submitting = try ChildProcess(BuildProducts.executable("vaka"), submit)
        try eventually { submitting.errorsSoFar.contains("again in") ? true : nil }
        let refused = try node.ingest(try Samples.batch(Samples.crash(900_001)))
        #expect(refused.status == 503 && refused.text.contains("store_away"), "\(refused.text)")
        #expect(refused.headers["retry-after"] == "5")
        let readiness = try node.client.send("GET", "/readyz")
        #expect(readiness.status == 503 && readiness.text.contains("store_away"), "\(readiness.text)")
        #expect(try node.client.send("GET", "/healthz").status == 200)
        Soak.stayAway()
        try server.start()
        try load.wait(forMore: 20)
        // It tries for a minute, keeps what it could not send, and is started again.
        if try submitting.wait(seconds: 90).status != .exited(0) {
            #expect(try ChildProcess.run(BuildProducts.executable("vaka"), submit).status == .exited(0))
        }
        try check(load, cluster, database)
        try node.eventually { try node.client.send("GET", "/readyz").status == 200 ? true : nil }
        try node.eventually { try node.json("issues")["issues"]?.array.count == 2 ? true : nil }
        let log = node.process.errorsSoFar
        #expect(
            log.contains("batch_not_accepted") && log.contains("pipeline_waits") && log.contains("pipeline_goes_on"))
        let words = log.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1).last ?? "" }
        #expect(
            words.filter { $0.contains("batch_not_accepted") }.count <= 10, "the same is not said over and over: \(log)"
        )
    }

    @Test func `a version that is not read is told once its batch is kept, and not before`() throws {
        let server = try PostgresServer()
        let database = try PostgresTestDatabase(on: server)
        let cluster = try Cluster(database.address, nodes: 1)
        let node = cluster.node(0)
        // So that the key and the project's settings are known, and it is the batch that cannot be kept.
        #expect(try node.accepted(try Samples.batch(Samples.crash(1))).accepted == 1)
        try server.stop()
        let batch = NetworkSamples.batch([
            NetworkSamples.versioned("7", id: "a"), NetworkSamples.versioned("7", id: "b"),
            try NetworkSamples.item(NetworkSamples.record("r"), id: "c"),
        ])
        for _ in 0..<2 { #expect(try node.ingest(batch).status == 503) }
        #expect(node.process.errorsSoFar.contains("batch_not_accepted"))
        #expect(!node.process.errorsSoFar.contains("sdk_network_schema_unsupported"))
        try server.start()
        try node.eventually { try node.ingest(batch).status == 202 ? true : nil }
        let told = try #require(try node.list("diagnostics", count: 1).first)
        #expect(told["message"]?.string?.contains("suppressedCount") == false)
        let lines = node.process.errorsSoFar.split(separator: "\n").filter { $0.contains("not read here") }
        #expect(lines.count == 1, "\(lines)")
        #expect(try node.list("network", count: 1).first?["requestId"] == "r")
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

    /// Every item that was answered 202 is stored once, and nobody holds anything; the numbers of those items.
    @discardableResult
    private func check(_ load: Load, _ cluster: Cluster, _ database: PostgresTestDatabase) throws -> Set<Int> {
        let acknowledged = try load.finish()
        let node = cluster.node(0)
        try node.eventually(seconds: 120) {
            let left = try database.server.run(
                "SELECT (SELECT count(*) FROM spool) + (SELECT count(*) FROM event_holds)", in: database.name)
            return left == ["0"] ? true : nil
        }
        let counts = try issues(node)
        let stored = try counts.keys.flatMap { try node.allEvents(ofIssue: $0) }
        #expect(Set(stored).isSuperset(of: acknowledged.map(Samples.eventID)))
        #expect(Set(stored).count == stored.count, "none is stored twice")
        for (issue, count) in counts {
            #expect(try node.allEvents(ofIssue: issue).count == count, "the issue \(issue) counts its events")
        }
        return acknowledged
    }

    /// How many events each issue says it has.
    private func issues(_ node: ServerProcess) throws -> [Int64: Int] {
        try (node.json("issues")["issues"]?.array ?? []).reduce(into: [:]) { counts, issue in
            guard case .integer(let id)? = issue["id"], case .integer(let events)? = issue["events"] else { return }
            counts[id] = Int(events)
        }
    }
}
