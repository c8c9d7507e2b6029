// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Images whose home is a blob store: the same for each kind of store.
struct BlobTests {
    private let build: BuiltProgram

    init() throws {
        build = try BuiltProgram(TemporaryFolder(), padding: "")
    }

    private func functions(_ event: Event) -> [String?] { event.threads[0].frames.map(\.function) }

    @Test(arguments: BlobHome.Kind.allCases)
    func `a report finds an image that is here no more`(_ kind: BlobHome.Kind) throws {
        let home = try BlobHome(kind)
        let first = try home.server()
        #expect(try first.upload(build.data).status == 201)
        _ = try first.accepted(try Samples.batch(try build.crash(1)))
        #expect(functions(try first.event(1)) == ["fail", "main"])

        let second = try home.restartWithoutCache(first)
        _ = try second.accepted(try Samples.batch(try build.crash(2, base: 0x6666_6666_0000)))
        #expect(functions(try second.event(2)) == ["fail", "main"])
        #expect(try second.client.send("GET", "/metrics").text.contains("vaka_images_brought_total 1\n"))
        let issues = try second.json("issues")["issues"]?.array ?? []
        #expect(issues.map { $0["events"] } == [2], "no issue without names was made")
    }

    @Test(arguments: BlobHome.Kind.allCases)
    func `a cache that is too small is no hindrance`(_ kind: BlobHome.Kind) throws {
        let home = try BlobHome(kind)
        let server = try home.server(["--blob-cache", "0"])
        let other = try BuiltProgram(TemporaryFolder(), padding: "int other(int x) { return x * 3; }")
        #expect(try server.upload(build.data).status == 201)
        #expect(try server.upload(other.data).status == 201)
        for (number, program) in [build, other, build].enumerated() {
            _ = try server.accepted(try Samples.batch(try program.crash(number + 1)))
            #expect(functions(try server.event(number + 1)) == ["fail", "main"])
        }
        #expect(!(try server.client.send("GET", "/metrics").text.contains("vaka_images_given_up_total 0\n")))
    }

    @Test(arguments: BlobHome.Kind.allCases)
    func `debuginfod's routes bring what is asked for, once`(_ kind: BlobHome.Kind) async throws {
        let home = try BlobHome(kind)
        let first = try home.server()
        #expect(try first.upload(build.data).status == 201)
        let server = try home.restartWithoutCache(first)
        let expected = build.data
        let path = "/buildid/\(build.buildID)/debuginfo"
        await withTaskGroup { group in
            for _ in 0..<6 {
                group.addTask {
                    (try? server.client.send("GET", path, headers: server.tokenHeader))?.body == expected
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(try server.client.send("GET", "/metrics").text.contains("vaka_images_brought_total 1\n"))
        let section = try server.client.send(
            "GET", "/buildid/\(build.buildID)/section/.text", headers: server.tokenHeader)
        #expect(section.status == 200)
        #expect(!section.body.isEmpty)
    }

    @Test(arguments: BlobHome.Kind.allCases)
    func `an image that serves for both is kept once`(_ kind: BlobHome.Kind) throws {
        let home = try BlobHome(kind)
        let first = try home.server()
        #expect(try first.upload(build.data).status == 201)
        let again = try first.upload(build.data)
        #expect(again.status == 200)
        #expect(again.text.contains("already_there"))
        // Whoever shares the store knows the better file.
        let other = try home.server()
        let stripped = try stripped()
        let poorer = try other.upload(stripped)
        #expect(poorer.text.contains("poorer_than_stored") || poorer.text.contains("already_there"), "\(poorer.text)")
        _ = try other.accepted(try Samples.batch(try build.crash(1)))
        #expect(functions(try other.event(1)) == ["fail", "main"])
    }

    @Test(arguments: BlobHome.Kind.allCases)
    func `what is better takes the place of the poorer`(_ kind: BlobHome.Kind) throws {
        let home = try BlobHome(kind)
        let server = try home.server()
        #expect(try server.upload(try stripped()).status == 201)
        _ = try server.accepted(try Samples.batch(try build.crash(1)))
        #expect(functions(try server.event(1)) != ["fail", "main"])
        #expect(try server.upload(build.data).status == 201)
        _ = try server.event(1) { functions($0) == ["fail", "main"] }
        let next = try home.restartWithoutCache(server)
        _ = try next.accepted(try Samples.batch(try build.crash(2)))
        #expect(functions(try next.event(2)) == ["fail", "main"])
    }

    @Test(arguments: BlobHome.Kind.allCases)
    func `images that were here before move`(_ kind: BlobHome.Kind) throws {
        let before = try ServerProcess()
        #expect(try before.upload(build.data).status == 201)
        before.process.kill(SIGTERM)
        _ = try before.process.wait()
        let home = try BlobHome(kind)
        let moved = try home.server(folder: before.folder)
        let next = try home.restartWithoutCache(moved)
        _ = try next.accepted(try Samples.batch(try build.crash(1)))
        #expect(functions(try next.event(1)) == ["fail", "main"])
        // Without them the server would find nothing, and does not start.
        next.process.kill(SIGTERM)
        _ = try next.process.wait()
        let refused = try ChildProcess.run(
            BuildProducts.executable("vaka-server"),
            ["--data", before.folder.path + "/data", "--listen", "127.0.0.1:0"])
        #expect(refused.status == .exited(1))
        #expect(refused.errors.contains("start the server with --blobs \(home.arguments[1])"))
    }

    @Test(arguments: BlobHome.Kind.allCases)
    func `what no event needs is removed there, too`(_ kind: BlobHome.Kind) throws {
        let home = try BlobHome(kind)
        let server = try home.server()
        #expect(try server.upload(build.data).status == 201)
        let answer = try server.client.send(
            "POST", "/api/v1/projects/default/artifacts/remove-unused?unused_days=0", headers: server.tokenHeader)
        #expect(answer.status == 200)
        #expect(answer.text.contains("\"removed\":1"))
        #expect(!answer.text.contains("\"bytes\":0"))
        let next = try home.restartWithoutCache(server)
        // The row is gone; a new one does not find old files.
        _ = try next.accepted(try Samples.batch(try build.crash(1)))
        #expect(functions(try next.event(1)) == [nil, nil])
        #expect(try next.upload(build.data).status == 201)
    }

    @Test(arguments: BlobHome.Kind.allCases)
    func `a backup leaves images where they are, and verify looks there`(_ kind: BlobHome.Kind) throws {
        let home = try BlobHome(kind)
        let server = try home.server()
        #expect(try server.upload(build.data).status == 201)
        let target = server.folder.path + "/backup"
        let data = server.folder.path + "/data"
        func admin(_ words: String...) throws -> ChildProcess.Result {
            try ChildProcess.run(
                BuildProducts.executable("vaka-server"), ["admin"] + words, environment: home.environment)
        }
        let made = try admin("backup", "--data", data, "--to", target)
        #expect(made.status == .exited(0))
        #expect(made.output.contains("uploaded images are not in it"))
        #expect(!FileManager.default.fileExists(atPath: target + "/images"))
        let verified = try admin("verify", "--backup", target)
        #expect(verified.status == .exited(0), "\(verified.errors)")
        #expect(verified.output.contains("1 uploaded files in "))
        #expect(try admin("verify", "--data", data).status == .exited(0))
        let restored = try admin("restore", "--from", target, "--data", server.folder.path + "/restored")
        #expect(restored.status == .exited(0), "\(restored.errors)")
        let removal = try server.client.send(
            "POST", "/api/v1/projects/default/artifacts/remove-unused?unused_days=0", headers: server.tokenHeader)
        #expect(removal.status == 200)
        let missing = try admin("verify", "--backup", target)
        #expect(missing.status == .exited(1))
        #expect(missing.output.contains("build id \(build.buildID)) is not in "))
    }

    @Test func `servers on one database and one store have the same images`() throws {
        let database = try PostgresTestDatabase()
        let home = try BlobHome(.s3)
        let first = try home.server(["--store", database.address])
        let second = try home.server(["--store", database.address], credentials: first.credentials)
        _ = try first.accepted(try Samples.batch(try build.crash(1)))
        #expect(functions(try first.event(1)) == [nil, nil])
        #expect(try second.upload(build.data).status == 201)
        // Mended by whichever takes it up.
        _ = try first.event(1) { functions($0) == ["fail", "main"] }
        let asked = try first.client.send("GET", "/buildid/\(build.buildID)/debuginfo", headers: first.tokenHeader)
        #expect(asked.body == build.data)
        for number in 2...9 {
            let server = number % 2 == 0 ? first : second
            _ = try server.accepted(try Samples.batch(try build.crash(number)))
        }
        for number in 2...9 { #expect(functions(try second.event(number)) == ["fail", "main"]) }
    }

    private func stripped() throws -> Data {
        let folder = try TemporaryFolder()
        let path = folder.path + "/stripped"
        try build.data.write(to: URL(filePath: path))
        _ = try CompiledProgram.tool("strip", ["--strip-all", path])
        return try Data(contentsOf: URL(filePath: path))
    }
}
