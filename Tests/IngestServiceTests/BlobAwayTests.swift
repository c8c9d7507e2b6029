// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// An S3 store that goes away, fails or is slow. One test at a time, for they share it.
@Suite(.serialized)
struct BlobAwayTests {
    private static let store = Result { try S3Server() }

    private let store: S3Server
    private let home: BlobHome
    private let build: BuiltProgram

    init() throws {
        store = try Self.store.get()
        store.behave()
        home = BlobHome(store)
        build = try BuiltProgram(TemporaryFolder(), padding: "")
    }

    /// A server whose image is in the store only.
    private func server(_ arguments: [String] = []) throws -> ServerProcess {
        let first = try home.server()
        #expect(try first.upload(build.data).status == 201)
        return try home.restartWithoutCache(first, arguments)
    }

    private func images(_ server: ServerProcess) throws -> JSONValue? {
        let answer = try server.client.send("GET", "/readyz")
        #expect(answer.status == 200, "reports are taken all the same")
        return try ModelCoding.decode(JSONValue.self, from: answer.body)["images"]
    }

    private func functions(_ event: Event) -> [String?] { event.threads[0].frames.map(\.function) }

    private func expectWaiting(_ server: ServerProcess, _ number: Int, reason: String) throws {
        _ = try server.accepted(try Samples.batch(try build.crash(number)))
        try server.eventually { try images(server)?["held"] == 1 ? true : nil }
        let state = try images(server)
        #expect(state?["status"] == "away")
        #expect(state?["reason"]?.string?.contains(reason) == true, "\(String(describing: state))")
        #expect(try server.get("events/\(Samples.eventID(number))").status == 404, "it is not stored without names")
        let metrics = try server.client.send("GET", "/metrics").text
        #expect(metrics.contains("vaka_blobs_away 1"))
        #expect(metrics.contains("vaka_held_items 1"))
    }

    private func expectGoesOn(_ server: ServerProcess, _ number: Int) throws {
        #expect(functions(try server.event(number)) == ["fail", "main"])
        try server.eventually { try images(server)?["status"] == "here" ? true : nil }
        #expect(try images(server)?["held"] == 0)
        let issues = try server.json("issues")["issues"]?.array ?? []
        #expect(issues.count == 1)
    }

    @Test func `reports wait for a store that is down, and go on by themselves`() throws {
        let server = try server()
        try store.stop()
        defer { try? store.start() }
        try expectWaiting(server, 1, reason: "cannot be reached")
        // What needs no image of the store goes on.
        _ = try server.accepted(try Samples.batch(Samples.crash(2)))
        _ = try server.event(2)
        Soak.stayAway()
        #expect(try images(server)?["held"] == 1)
        try store.start()
        #expect(functions(try server.event(1)) == ["fail", "main"])
        try server.eventually { try images(server)?["status"] == "here" ? true : nil }
        let log = server.process.errorsSoFar
        #expect(log.components(separatedBy: " blobs_away: ").count == 2, "once: \(log)")
        #expect(log.contains(" blobs_back: "))
    }

    @Test func `a restart meanwhile loses nothing`() throws {
        let server = try server()
        try store.stop()
        defer { try? store.start() }
        try expectWaiting(server, 1, reason: "cannot be reached")
        server.process.kill(SIGKILL)
        _ = try server.process.wait()
        // The store was there before: it is waited for.
        let next = try home.server(folder: server.folder)
        try next.eventually { try images(next)?["held"] == 1 ? true : nil }
        try store.start()
        try expectGoesOn(next, 1)
    }

    @Test func `one that was stored without names is mended`() throws {
        let server = try server(["--blob-wait", "0"])
        try store.stop()
        defer { try? store.start() }
        _ = try server.accepted(try Samples.batch(try build.crash(1)))
        let bare = try server.event(1)
        #expect(functions(bare) == [nil, nil])
        let loss = bare.loss.first { $0.what == "symbolication" }
        #expect(loss?.why.contains("could not be fetched") == true, "\(bare.loss)")
        // What nobody uploaded is another matter.
        _ = try server.accepted(try Samples.batch(Samples.crash(2)))
        #expect(try server.event(2).loss.allSatisfy { $0.what != "symbolication" })
        try store.start()
        let mended = try server.event(1) { functions($0) == ["fail", "main"] }
        #expect(mended.loss.allSatisfy { $0.what != "symbolication" })
    }

    @Test(arguments: [(500, "InternalError"), (403, "AccessDenied"), (404, "NoSuchBucket")])
    func `reports wait for a store that fails`(_ status: Int, _ code: String) throws {
        let server = try server()
        try store.fail(status, code)
        try expectWaiting(server, 1, reason: code)
        store.behave()
        try expectGoesOn(server, 1)
    }

    @Test func `a slow store takes time and loses nothing`() throws {
        let server = try server()
        try store.delay(1, only: "GET")
        _ = try server.accepted(try Samples.batch(try build.crash(1)))
        #expect(functions(try server.event(1)) == ["fail", "main"])
    }

    @Test func `uploads are refused while it is down, and the command goes on when it is up`() throws {
        let server = try home.server()
        try store.stop()
        defer { try? store.start() }
        let refused = try server.upload(build.data)
        #expect(refused.status == 503)
        #expect(refused.headers["retry-after"] == "10")
        #expect(refused.text.contains("images_away"))
        #expect(try server.json("artifacts")["artifacts"]?.array.isEmpty == true)

        let program = server.folder.path + "/program"
        try build.data.write(to: URL(filePath: program))
        let command = try ChildProcess(
            BuildProducts.executable("vaka"),
            [
                "upload", "debug", program, "--url", server.credentials.url, "--token", server.credentials.adminToken,
            ])
        try server.eventually {
            try server.client.send("GET", "/metrics").text.contains("vaka_http_responses_total{status=\"503\"} 2")
                ? true : nil
        }
        try store.start()
        #expect(try command.wait(seconds: 90).status == .exited(0))
        _ = try server.accepted(try Samples.batch(try build.crash(1)))
        #expect(functions(try server.event(1)) == ["fail", "main"])
    }

    @Test func `an upload whose end does not reach the store is not kept here either`() throws {
        let server = try home.server()
        try store.fail(403, "AccessDenied", only: "PUT")
        #expect(try server.upload(build.data).status == 503)
        store.behave()
        let again = try server.upload(build.data)
        #expect(again.status == 201, "\(again.text)")
        let next = try home.restartWithoutCache(server)
        _ = try next.accepted(try Samples.batch(try build.crash(1)))
        #expect(functions(try next.event(1)) == ["fail", "main"])
    }

    @Test func `what is damaged there is said, and is mended by an upload`() throws {
        let server = try server()
        server.process.kill(SIGTERM)
        _ = try server.process.wait()
        try store.stop()
        let objects = store.folder.path + "/objects"
        for name in try FileManager.default.contentsOfDirectory(atPath: objects) {
            guard let data = FileManager.default.contents(atPath: objects + "/" + name), data.count > 4096 else {
                continue
            }
            try (data + Data([0])).write(to: URL(filePath: objects + "/" + name))
        }
        try store.start()
        let next = try home.server(folder: server.folder)
        let asked = try next.client.send("GET", "/buildid/\(build.buildID)/debuginfo", headers: next.tokenHeader)
        #expect(asked.status == 500)
        #expect(asked.text.contains("is not what was put there: upload the image again"), "\(asked.text)")
        // The report is not held up.
        _ = try next.accepted(try Samples.batch(try build.crash(1)))
        _ = try next.event(1)
        #expect(try next.upload(build.data).status == 201)
        _ = try next.event(1) { functions($0) == ["fail", "main"] }
    }

    @Test(arguments: [
        (["--blobs", "s3://no-such-bucket"], "make the bucket no-such-bucket"),
        (["--blobs", "s3://\(S3Server.bucket)"], "does not belong to AWS_ACCESS_KEY_ID"),
    ])
    func `a wrong start says what to mend`(_ arguments: [String], _ expected: String) throws {
        let folder = try TemporaryFolder()
        var environment = home.environment
        if expected.contains("belong") { environment["AWS_SECRET_ACCESS_KEY"] = "wrong" }
        let result = try ChildProcess.run(
            BuildProducts.executable("vaka-server"),
            ["--data", folder.path + "/data", "--listen", "127.0.0.1:0", "--s3-endpoint", store.endpoint] + arguments,
            environment: environment)
        #expect(result.status == .exited(1))
        #expect(result.errors.contains(expected), "\(result.errors)")
        #expect(!result.errors.contains(store.secret))
    }
}
