// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Uploads in parts: cut off, gone on with, checked.
struct PartialUploadTests {
    private static let base = "/api/v1/projects/default/uploads"

    private struct Upload {
        var id: String
        var offset: Int64
        var result: JSONValue?
        var status: Int
    }

    private func digest(_ data: Data) -> String {
        var digest = DigestStream()
        data.withUnsafeBytes { digest.add($0) }
        return digest.finish()
    }

    private func request(
        _ server: ServerProcess, _ method: String, _ path: String, _ body: Data = Data()
    ) throws -> (HTTPClient.Response, Upload?) {
        let answer = try server.client.send(method, Self.base + path, headers: server.tokenHeader, body: body)
        guard answer.status < 300, let document = try? ModelCoding.decode(JSONValue.self, from: answer.body),
            let id = document["upload_id"]?.string, case .integer(let offset)? = document["offset"]
        else { return (answer, nil) }
        let result = document["result"] == .null ? nil : document["result"]
        return (answer, Upload(id: id, offset: offset, result: result, status: answer.status))
    }

    private func begin(_ server: ServerProcess, _ data: Data, name: String = "program") throws -> Upload {
        let path = "?kind=native&name=\(name)&size=\(data.count)&sha256=\(digest(data))"
        return try #require(try request(server, "POST", path).1)
    }

    @Test func `a file goes in parts, over a restart, and is taken like one that came at once`() throws {
        let first = try ServerProcess()
        let program = try BulkyProgram(TemporaryFolder(), bulk: 1 << 20)
        let (data, buildID) = (program.data, program.buildID)
        let begun = try begin(first, data)
        #expect(begun.status == 201 && begun.offset == 0 && begun.result == nil)
        #expect(try request(first, "POST", "/\(begun.id)?offset=0", data.prefix(300_000)).1?.offset == 300_000)
        let early = try request(first, "POST", "/\(begun.id)/finish").0
        #expect(early.status == 409 && early.text.contains("unfinished"))
        first.process.kill(SIGKILL)
        _ = try first.process.wait()

        let server = try ServerProcess(folder: first.folder)
        let again = try begin(server, data)
        #expect(
            again.status == 200 && again.id == begun.id && again.offset == 300_000, "the same file is the same upload")
        let wrong = try request(server, "POST", "/\(begun.id)?offset=0", data).0
        #expect(wrong.status == 409 && wrong.text.contains("300000 bytes are there"))
        let long = try request(server, "POST", "/\(begun.id)?offset=300000", data).0
        #expect(long.status == 413)
        let rest = data.dropFirst(300_000)
        #expect(try request(server, "POST", "/\(begun.id)?offset=300000", Data(rest)).1?.offset == Int64(data.count))
        let finished = try #require(try request(server, "POST", "/\(begun.id)/finish").1)
        #expect(finished.status == 201)
        #expect(finished.result?["build_id"]?.string == buildID.description && finished.result?["outcome"] == "stored")
        let given = try server.client.send("GET", "/buildid/\(buildID)/debuginfo", headers: server.tokenHeader)
        #expect(given.body == data)
        #expect(try server.json("artifacts")["artifacts"]?.array.first?["name"] == "program")

        // Told again, for the answer may have been lost; and what is there is not asked for.
        #expect(try request(server, "POST", "/\(begun.id)/finish").1?.result == finished.result)
        #expect(try begin(server, data).result == finished.result)
        #expect(server.folder.entries("data/uploads") == ["\(begun.id).json"])
        // What was removed since is wanted again.
        _ = try server.client.send(
            "POST", "/api/v1/projects/default/artifacts/remove-unused?unused_days=0", headers: server.tokenHeader)
        let anew = try begin(server, data)
        #expect(anew.result == nil && anew.offset == 0)
    }

    @Test func `a part that is cut off counts as far as it came`() throws {
        let server = try ServerProcess()
        let data = Data(repeating: 7, count: 1 << 20)
        let upload = try begin(server, data)
        let head =
            "POST \(Self.base)/\(upload.id)?offset=0 HTTP/1.1\r\nHost: x\r\nContent-Length: \(data.count)\r\n"
            + "Authorization: Bearer \(server.credentials.adminToken)\r\n\r\n"
        let socket = try server.client.connect(seconds: 10)
        let bytes = [UInt8](Data(head.utf8) + data.prefix(200_000))
        #expect(send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        try server.eventually { try request(server, "GET", "/\(upload.id)").1?.offset == 200_000 ? true : nil }
        // While that request is there, no other appends.
        let busy = try request(server, "POST", "/\(upload.id)?offset=200000", Data([1])).0
        #expect(busy.status == 503 && busy.headers["retry-after"] == "2")
        close(socket)
        let rest = Data(data.dropFirst(200_000))
        try server.eventually {
            try request(server, "POST", "/\(upload.id)?offset=200000", rest).1?.offset == Int64(data.count) ? true : nil
        }
        let finished = try request(server, "POST", "/\(upload.id)/finish").0
        #expect(finished.status == 400 && finished.text.contains("not_elf"))
        #expect(try request(server, "GET", "/\(upload.id)").0.status == 404, "what is no image is not kept")
        #expect(server.folder.entries("data/uploads").isEmpty)
    }

    @Test func `what is not the file that was told of is not taken`() throws {
        let server = try ServerProcess()
        let data = Data(repeating: 7, count: 1000)
        let upload = try begin(server, data)
        #expect(
            try request(server, "POST", "/\(upload.id)?offset=0", Data(repeating: 8, count: 1000)).1?.offset == 1000)
        let finished = try request(server, "POST", "/\(upload.id)/finish").0
        #expect(finished.status == 422 && finished.text.contains("wrong_digest"))
        #expect(server.folder.entries("data/uploads").isEmpty)
        let sum = digest(data)
        for wrong in [
            "?size=0&sha256=\(sum)", "?size=x&sha256=\(sum)", "?size=5&sha256=zz", "?size=5",
            "?kind=cake&size=5&sha256=\(sum)",
        ] {
            #expect(try request(server, "POST", wrong).0.status == 400, "\(wrong)")
        }
        #expect(try request(server, "POST", "?size=99999999999999&sha256=\(sum)").0.status == 413)
        #expect(try request(server, "POST", "/\(upload.id)").0.status == 404)
        #expect(try request(server, "GET", "/..%2F..%2Fcredentials").0.status == 404)
    }

    /// A gigabyte in `make soak`.
    @Test func `the command goes on after a kill`() throws {
        let server = try ServerProcess()
        let isSoak = ProcessInfo.processInfo.environment["VAKA_SOAK"] == "1"
        let folder = try TemporaryFolder()
        let program = try BulkyProgram(folder, bulk: isSoak ? 1 << 30 : 40 << 20)
        let (path, data, buildID) = (program.path, program.data, program.buildID)
        let arguments = [
            "upload", "debug", path, "--url", server.credentials.url, "--token", server.credentials.adminToken,
        ]
        let killed = try ChildProcess(BuildProducts.executable("vaka"), arguments)
        func part() -> Int64 {
            server.folder.entries("data/uploads").filter { $0.hasSuffix(".part") }.map { name in
                var status = stat()
                return stat(server.folder.path + "/data/uploads/" + name, &status) == 0 ? Int64(status.st_size) : 0
            }.max() ?? 0
        }
        try server.eventually(seconds: 300) {
            part() > data.count / 2 || !server.folder.entries("data/images").isEmpty ? true : nil
        }
        killed.kill(SIGKILL)
        _ = try killed.wait()
        let came = part()
        let second = try ChildProcess.run(BuildProducts.executable("vaka"), arguments, seconds: 300)
        #expect(second.status == .exited(0), "\(second.errors)")
        let (service, worker) = (try server.peakMemory(), try server.peakWorkerMemory())
        #expect(service < 200 << 10 && worker < 400 << 10, "KiB, of a file of any size: \(service), \(worker)")
        if isSoak {
            print("1 GB upload: \(came) bytes were there at the kill; peak KiB: server \(service), worker \(worker)")
        }
        let given = try server.client.send("GET", "/buildid/\(buildID)/debuginfo", headers: server.tokenHeader)
        #expect(given.body == data)
    }

    /// Each request meets the other of two servers, and the parts of a file the one that does not have its beginning.
    @Test func `behind one address of two servers the command sends the whole at once`() throws {
        let database = try PostgresTestDatabase()
        let home = try BlobHome(.folder)
        let first = try home.server(["--store", database.address])
        let second = try home.server(["--store", database.address], credentials: first.credentials)
        let front = try ChildProcess(
            "/usr/bin/env",
            [
                "python3", BuildProducts.root + "/Tests/Support/taking_turns.py", "\(first.client.port)",
                "\(second.client.port)",
            ])
        defer { front.kill(SIGKILL) }
        try front.waitForOutput("\n")
        let port = front.outputSoFar.split(whereSeparator: \.isWhitespace).last ?? ""
        let folder = try TemporaryFolder()
        let program = try BulkyProgram(folder, bulk: 40 << 20)
        // What an earlier try left on both must not confuse it.
        for server in [first, second] {
            let begun = try begin(server, program.data)
            _ = try request(server, "POST", "/\(begun.id)?offset=0", program.data.prefix(1 << 20))
        }
        let foreign = try request(first, "GET", "/" + String(repeating: "0", count: 32)).0
        #expect(foreign.status == 404 && foreign.text.contains("unknown_upload"))
        for isAgain in [false, true] {
            let sent = try ChildProcess.run(
                BuildProducts.executable("vaka"),
                [
                    "upload", "debug", program.path, "--url", "http://127.0.0.1:\(port)", "--token",
                    first.credentials.adminToken,
                ])
            #expect(sent.status == .exited(0), "\(isAgain): \(sent.errors)")
        }
        for server in [first, second] {
            let given = try server.client.send(
                "GET", "/buildid/\(program.buildID)/debuginfo", headers: server.tokenHeader)
            let isWhole = given.body == program.data
            #expect(isWhole, "\(given.status), \(given.body.count) bytes")
        }
    }

    @Test func `sections of an image are given by the debuginfod protocol`() throws {
        let server = try ServerProcess()
        let folder = try TemporaryFolder()
        let program = try BulkyProgram(folder, bulk: 5000)
        let (path, buildID) = (program.path, program.buildID)
        try CompiledProgram.tool("objcopy", ["--only-keep-debug", path, path + ".debug"])
        for file in [path + ".debug", path] {
            #expect(try server.upload(try Data(contentsOf: URL(filePath: file))).status < 300)
        }
        func section(_ name: String, _ headers: [String: String] = [:]) throws -> HTTPClient.Response {
            try server.client.send(
                "GET", "/buildid/\(buildID)/section/\(name)",
                headers: server.tokenHeader.merging(headers) { first, _ in first })
        }
        func expected(_ name: String) throws -> Data {
            let output = folder.path + "/section"
            try CompiledProgram.tool("objcopy", ["--dump-section", "\(name)=\(output)", path, "/dev/null"])
            return try Data(contentsOf: URL(filePath: output))
        }
        for name in [".text", ".debug_line", ".bulk", ".note.gnu.build-id"] {
            let answer = try section(name)
            let bytes = try expected(name)
            #expect(answer.status == 200 && answer.body == bytes, "\(name)")
            #expect(answer.headers["x-debuginfod-size"] == "\(bytes.count)")
        }
        let part = try section(".bulk", ["Range": "bytes=10-19"])
        let bulk = try expected(".bulk")
        #expect(part.status == 206 && part.body == bulk[10..<20])
        #expect(try section(".bss").status == 404 && section(".nothing").status == 404)
        #expect(try server.client.send("GET", "/buildid/\(buildID)/section/.text").status == 401)
    }
}
