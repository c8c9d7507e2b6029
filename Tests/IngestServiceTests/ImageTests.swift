// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

struct ImageTests {
    /// A small program, with or without its build id.
    private func build(_ folder: TemporaryFolder, buildID: String = "sha1", name: String = "program") throws -> Data {
        let source = folder.path + "/\(name).c"
        let output = folder.path + "/" + name
        try Data("int fail(int x) { return *(volatile int *)(long)x; }\nint main(void) { return fail(0); }\n".utf8)
            .write(to: URL(filePath: source))
        let result = try ChildProcess.run("gcc", ["-g", "-O0", "-Wl,--build-id=\(buildID)", "-o", output, source])
        #expect(result.status == .exited(0), "\(result.errors)")
        return try Data(contentsOf: URL(filePath: output))
    }

    @Test func `an image is stored, listed and given back`() throws {
        let server = try ServerProcess()
        let folder = try TemporaryFolder()
        let image = try build(folder)
        let first = try server.upload(image, name: "program")
        #expect(first.status == 201)
        let reply = try ModelCoding.decode(JSONValue.self, from: first.body)
        #expect(reply["outcome"] == "stored")
        let buildID = try #require(reply["build_id"]?.string)
        let again = try server.upload(image)
        #expect(again.status == 200)
        #expect(again.text.contains("already_there"))
        let listed = try server.json("artifacts?build_id=\(buildID)")["artifacts"]?.array ?? []
        #expect(listed.count == 1)
        #expect(listed.first?["has_debug_info"] == true)
        #expect(listed.first?["name"] == "program")
        let given = try server.client.send("GET", "/buildid/\(buildID)/debuginfo", headers: server.tokenHeader)
        #expect(given.body == image)
        #expect(try server.client.send("GET", "/buildid/\(buildID)/debuginfo").status == 401)
        #expect(try server.client.send("GET", "/buildid/00ff/debuginfo", headers: server.tokenHeader).status == 404)
        #expect(try server.client.send("GET", "/buildid/zz/debuginfo", headers: server.tokenHeader).status == 400)
        #expect(server.folder.entries("data/tmp").isEmpty, "no upload is left behind")
    }

    @Test func `a stripped image does not replace a good one`() throws {
        let server = try ServerProcess()
        let folder = try TemporaryFolder()
        _ = try server.upload(try build(folder))
        let stripped = try ChildProcess.run("strip", ["-o", folder.path + "/stripped", folder.path + "/program"])
        #expect(stripped.status == .exited(0))
        let response = try server.upload(try Data(contentsOf: URL(filePath: folder.path + "/stripped")))
        #expect(response.status == 200)
        #expect(response.text.contains("poorer_than_stored"))
        #expect(response.text.contains("reason"))
    }

    @Test func `a part of an image can be asked for`() throws {
        let server = try ServerProcess()
        let image = try build(TemporaryFolder())
        let reply = try ModelCoding.decode(JSONValue.self, from: try server.upload(image).body)
        let path = "/buildid/\(try #require(reply["build_id"]?.string))/debuginfo"
        let count = image.count
        let parts: [(String, Range<Int>)] = [
            ("bytes=0-0", 0..<1), ("bytes=100-199", 100..<200), ("bytes=\(count - 5)-", count - 5..<count),
            ("bytes=-7", count - 7..<count), ("bytes=10-99999999999", 10..<count), ("bytes=-99999999999", 0..<count),
        ]
        for (header, range) in parts {
            let response = try server.client.send(
                "GET", path, headers: server.tokenHeader.merging(["Range": header]) { first, _ in first })
            #expect(response.status == 206 && response.body == image[range], "\(header)")
            #expect(
                response.headers["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)")
        }
        for header in ["bytes=\(count)-", "bytes=-0"] {
            let response = try server.client.send(
                "GET", path, headers: server.tokenHeader.merging(["Range": header]) { first, _ in first })
            #expect(response.status == 416 && response.body.isEmpty, "\(header)")
        }
        for header in ["bytes=9-1", "bytes=1-2,4-5", "lines=1-2", "bytes=", "bytes=a-b", "bytes=+1-2"] {
            let response = try server.client.send(
                "GET", path, headers: server.tokenHeader.merging(["Range": header]) { first, _ in first })
            #expect(response.status == 200 && response.body == image, "\(header)")
            #expect(response.headers["x-debuginfod-size"] == "\(count)")
        }
    }

    @Test func `the better of two files is given, whichever came first`() throws {
        let server = try ServerProcess()
        for betterFirst in [true, false] {
            let folder = try TemporaryFolder()
            let whole = try build(folder, name: "program\(betterFirst)")
            let path = folder.path + "/program\(betterFirst)"
            try CompiledProgram.tool("strip", ["-o", folder.path + "/stripped", path])
            try ImageDamage.section(".debug_line", of: path, to: folder.path + "/damaged", filledWith: 0xff)
            let poorer = try ["stripped", "damaged"].map { try Data(contentsOf: URL(filePath: folder.path + "/" + $0)) }
            let replies = try (betterFirst ? [whole] + poorer : poorer + [whole]).map { data in
                try ModelCoding.decode(JSONValue.self, from: try server.upload(data).body)
            }
            let outcomes = replies.map { $0["outcome"]?.string }
            #expect(
                outcomes
                    == (betterFirst
                        ? ["stored", "poorer_than_stored", "poorer_than_stored"] : ["stored", "stored", "stored"]))
            let buildID = try #require(replies[0]["build_id"]?.string)
            for kind in ["debuginfo", "executable"] {
                let given = try server.client.send("GET", "/buildid/\(buildID)/\(kind)", headers: server.tokenHeader)
                #expect(given.body == whole, "\(kind)")
            }
        }
    }

    @Test func `an upload is told what it lacks`() throws {
        let server = try ServerProcess()
        let folder = try TemporaryFolder()
        _ = try build(folder)
        try CompiledProgram.tool("strip", ["-o", folder.path + "/stripped", folder.path + "/program"])
        let stripped = try Data(contentsOf: URL(filePath: folder.path + "/stripped"))
        let reply = try ModelCoding.decode(JSONValue.self, from: try server.upload(stripped).body)
        let findings = try #require(reply["findings"]?.array)
        let dwarf = try #require(findings.first { $0["name"] == "DWARF" })
        #expect(dwarf["state"] == "missing")
        #expect(dwarf["cure"]?.string?.contains("-g") == true)
    }

    @Test func `an image of another machine does not take the place of the real one`() throws {
        let server = try ServerProcess()
        let folder = try TemporaryFolder()
        let image = try build(folder)
        try ImageDamage.machine(of: folder.path + "/program", to: folder.path + "/forged", number: 8)
        let forged = try Data(contentsOf: URL(filePath: folder.path + "/forged"))
        _ = try server.upload(image)
        let reply = try ModelCoding.decode(JSONValue.self, from: try server.upload(forged).body)
        #expect(reply["reason"]?.string?.contains("set aside") == true)
        let buildID = try #require(reply["build_id"]?.string)
        let given = try server.client.send("GET", "/buildid/\(buildID)/debuginfo", headers: server.tokenHeader)
        #expect(given.body == image)
    }

    @Test func `what is no usable image is refused with a way to mend it`() throws {
        let server = try ServerProcess()
        let folder = try TemporaryFolder()
        let image = try build(folder)
        let cases: [(Data, String)] = [
            (Data("#!/bin/sh\necho no\n".utf8), "not_elf"),
            (try build(folder, buildID: "none", name: "anonymous"), "no_build_id"),
            (image.prefix(image.count / 2), "truncated"), (Data(), "not_elf"), (image.prefix(20), "truncated"),
        ]
        for (data, code) in cases {
            let response = try server.upload(data)
            let error = try ModelCoding.decode(ErrorReply.self, from: response.body).error
            #expect(response.status == 400)
            #expect(error.code == code, "\(error)")
            #expect(error.message.count > 20)
        }
        #expect(server.folder.entries("data/tmp").isEmpty)
        #expect(try server.client.send("GET", "/readyz").status == 200)
        let kind = try server.client.send(
            "POST", "/api/v1/projects/default/artifacts?kind=other", headers: server.tokenHeader, body: image)
        #expect(kind.text.contains("unknown_kind"))
    }

    @Test func `mutated images never take the server down`() throws {
        let server = try ServerProcess()
        let folder = try TemporaryFolder()
        let image = try build(folder)
        var generator = SeededRandom(seed: 7)
        for _ in 0..<60 {
            var bytes = [UInt8](image)
            for _ in 0..<8 {
                // Headers are where damage hurts.
                let place =
                    Bool.random(using: &generator)
                    ? Int.random(in: 4..<1024, using: &generator)
                    : Int.random(in: (bytes.count - 2400)..<bytes.count, using: &generator)
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
            }
            let status = try server.upload(Data(bytes)).status
            #expect([200, 201, 400].contains(status), "\(status)")
        }
        #expect(try server.client.send("GET", "/healthz").status == 200)
    }

    @Test func `an image beyond the limit is refused with the limit told`() throws {
        let server = try ServerProcess(["--max-upload", "5000"])
        let response = try server.upload(Data(repeating: 1, count: 6000))
        #expect(response.status == 413)
        #expect(response.text.contains("5000"))
        #expect(server.folder.entries("data/tmp").isEmpty)
    }
}
