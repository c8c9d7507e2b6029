// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Source bundles on their way through the service: uploaded before or after the crash, shown, and served to gdb.
@Suite struct SourceServiceTests {
    private func submit(_ record: String, _ server: ServerProcess) throws {
        let result = try ChildProcess.run(
            SourceProgram.command,
            ["submit", record, "--url", server.credentials.url, "--key", server.credentials.ingestKey])
        #expect(result.status == .exited(0), "\(result.errors)")
    }

    private func upload(_ arguments: [String], _ server: ServerProcess) throws -> ChildProcess.Result {
        try ChildProcess.run(
            SourceProgram.command,
            ["upload", "debug", "--url", server.credentials.url, "--token", server.credentials.adminToken] + arguments)
    }

    private func document(_ id: String, _ server: ServerProcess, where holds: (Event) -> Bool) throws -> Event {
        try server.eventually {
            let response = try server.get("events/\(id)")
            guard response.status == 200 else { return nil }
            let event = try ModelCoding.decode(Event.self, from: response.body)
            return holds(event) ? event : nil
        }
    }

    /// A page, as one sees it who is logged in.
    private func page(_ path: String, _ server: ServerProcess) throws -> String {
        let link = try server.client.send("POST", "/api/v1/login-links", headers: server.tokenHeader)
        let url = try #require(try ModelCoding.decode(JSONValue.self, from: link.body)["url"]?.string)
        let login = try server.client.send("GET", String(url.dropFirst(server.credentials.url.count)))
        let cookie = login.headers["set-cookie"]?.split(separator: ";").first.map(String.init) ?? ""
        return try server.client.send("GET", path, headers: ["Cookie": cookie]).text
    }

    private func artifacts(_ server: ServerProcess) throws -> [JSONValue] {
        try list("artifacts", server)
    }

    private func list(_ name: String, _ server: ServerProcess) throws -> [JSONValue] {
        let document = try ModelCoding.decode(JSONValue.self, from: try server.get(name).body)
        guard case .array(let items)? = document[name] else { return [] }
        return items
    }

    @Test func uploadedSourcesAreShownWhereverTheProgramCrashes() throws {
        let server = try ServerProcess()
        let program = try SourceProgram()
        let uploaded = try upload(
            [program.executable, "--include-sources", "--source-root", program.root + "/app"], server)
        #expect(uploaded.status == .exited(0), "\(uploaded.errors)")
        #expect(uploaded.output.contains("sources of \(program.executable)\n"))
        #expect(uploaded.output.contains("2 files, none missing"))
        #expect(uploaded.errors.contains("2 uploaded, 0 skipped"))
        let sources = try #require(try artifacts(server).first { $0["kind"] == "sources" })
        #expect(sources["build_id"]?.string == program.buildID.description)
        #expect(sources["source_files"] == 2 && sources["verified_files"] == 2)

        // What is there is not sent again.
        let again = try upload([program.executable, "--include-sources", "--source-root", program.root], server)
        #expect(again.errors.contains("0 uploaded, 2 skipped"), "\(again.output)\(again.errors)")

        let record = try program.crash()
        try program.removeSources()
        try submit(record, server)
        let id = try program.symbolicated(record, ["--no-system"]).eventID
        let event = try document(id, server) { $0.crashedThread?.frames.first?.function != nil }
        let frames = try #require(event.crashedThread?.frames)
        #expect(frames[0].sourceContext?.line == "\treturn *part->value;")
        #expect(frames[1].sourceContext?.line == "        counted += read_value(part);")
        #expect(
            frames.prefix(3).allSatisfy { $0.sourceContext?.origin == .bundle && $0.sourceContext?.verified == true })
        #expect(!event.loss.contains { $0.what.hasPrefix("source lines") })
        // The page shows them, the frame's own line marked.
        let page = try page("/events/\(id)", server)
        #expect(page.contains("counted += read_value(part);"))
        #expect(page.contains("<li class=\"line\""))
    }

    @Test func aBundleThatComesLateMendsTheSameEvent() throws {
        let server = try ServerProcess()
        let program = try SourceProgram()
        let record = try program.crash()
        #expect(try upload([program.executable], server).status == .exited(0))
        try submit(record, server)
        let id = try program.symbolicated(record, ["--no-system"]).eventID
        let before = try document(id, server) { $0.crashedThread?.frames.first?.function != nil }
        #expect(before.crashedThread?.frames.allSatisfy { $0.sourceContext == nil } == true)
        let loss = before.loss.filter { $0.what.hasPrefix("source lines of ") }
        #expect(loss.count == 1 && loss[0].why.contains("--include-sources"), "\(loss)")

        // First a bundle that lacks the file of one frame, then a whole one, made beforehand.
        let made = try ChildProcess.run(
            SourceProgram.command,
            ["bundle", "-o", program.root, "--source-root", program.root + "/app", program.executable])
        #expect(made.status == .exited(0), "\(made.errors)")
        let partial = try upload(
            [program.executable, "--include-sources", "--source-root", program.root + "/app/include"], server)
        #expect(partial.output.contains("1 file, 1 left out: 1 outside the allowed folders"), "\(partial.output)")
        let half = try document(id, server) { $0.crashedThread?.frames.first?.sourceContext != nil }
        #expect(half.crashedThread?.frames[1].sourceContext == nil)
        #expect(
            half.loss.contains { $0.what.hasSuffix("/app/src/main.c") && $0.why.contains("not in its source bundle") })

        let whole = try upload(["\(program.root)/\(program.buildID).sources.zip"], server)
        #expect(whole.status == .exited(0), "\(whole.errors)")
        let after = try document(id, server) { $0.crashedThread?.frames[1].sourceContext != nil }
        #expect(after.loss.filter { $0.what.hasPrefix("source lines of ") }.isEmpty)
        #expect(after.crashedThread?.frames.map(\.function) == before.crashedThread?.frames.map(\.function))
        let issues = try list("issues", server)
        #expect(issues.count == 1 && issues[0]["events"] == 1)
        #expect(try artifacts(server).filter { $0["kind"] == "sources" }.count == 1)
    }

    /// gdb finds program and sources by the build id alone.
    @Test func gdbListsTheUploadedSource() throws {
        let server = try ServerProcess()
        let program = try SourceProgram()
        let uploaded = try upload(
            [program.executable, "--include-sources", "--source-root", program.root + "/app"], server)
        #expect(uploaded.status == .exited(0), "\(uploaded.errors)")
        try program.removeSources()
        let address = server.credentials.url.dropFirst("http://".count)
        let listed = try ChildProcess.run(
            "gdb",
            [
                "-nx", "-batch", "-iex", "set debuginfod enabled on", "-ex", "list use", "-ex", "list read_value",
                program.executable,
            ],
            environment: [
                "DEBUGINFOD_URLS": "http://x:\(server.credentials.adminToken)@\(address)",
                "DEBUGINFOD_CACHE_PATH": program.root + "/cache", "HOME": program.root,
            ])
        #expect(listed.output.contains("counted += read_value(part);"), "\(listed.output)\(listed.errors)")
        #expect(listed.output.contains("return *part->value;"))
    }

    /// The core of a stripped program, and nothing of its debug information on the machine.
    @Test func gdbOpensACoreWithWhatTheServiceHas() throws {
        let server = try ServerProcess()
        let program = try SourceProgram()
        let record = try program.crash()
        #expect(try upload([program.executable], server).status == .exited(0))
        try CompiledProgram.tool("strip", ["-s", program.executable])
        let core = program.root + "/core"
        _ = try ChildProcess.run(SourceProgram.command, ["core", record, "-o", core, "--symbols", program.executable])
        let address = server.credentials.url.replacing("http://", with: "")
        let shown = try ChildProcess.run(
            "gdb",
            [
                "-nx", "-batch", "-iex", "set debuginfod enabled on", "-iex", "set auto-load safe-path /", "-ex", "bt",
                program.executable, core,
            ],
            environment: [
                "DEBUGINFOD_URLS": "http://x:\(server.credentials.adminToken)@\(address)",
                "DEBUGINFOD_CACHE_PATH": program.root + "/cache", "HOME": program.root,
            ], seconds: 120)
        for frame in ["read_value (part=", "use (part=", "main (argc=1"] {
            #expect(shown.output.contains(frame), "\(shown.output)\(shown.errors)")
        }
        #expect(shown.output.contains("part.h:5") && shown.output.contains("main.c:9"), "\(shown.output)")
    }

    @Test func sourcesAreServedByPathAndToTheirOwnersOnly() throws {
        let server = try ServerProcess()
        let program = try SourceProgram()
        _ = try upload([program.executable, "--include-sources", "--source-root", program.root + "/app"], server)
        let file = program.root + "/app/src/main.c"
        let base = "/buildid/\(program.buildID)/source"
        func get(_ path: String, _ headers: [String: String]? = nil) throws -> HTTPClient.Response {
            try server.client.send("GET", path, headers: headers ?? server.tokenHeader)
        }
        let text = try Data(contentsOf: URL(filePath: file))
        #expect(try get(base + file).body == text)
        // As some clients code it.
        #expect(try get(base + "/" + file.split(separator: "/").map { "%2F\($0)" }.joined()).body == text)
        #expect(try get(base + program.root + "/app/obj/../src/main.c").body == text)
        #expect(try get(base + "/etc/passwd").status == 404)
        #expect(try get(base + "/../../../../etc/passwd").status == 404)
        #expect(try get("/buildid/00ff/source/a.c").status == 404)
        #expect(try get(base + file, [:]).status == 401)
    }

    @Test func whatIsNoBundleIsRefusedWithAReason() throws {
        let server = try ServerProcess()
        func send(_ bytes: [UInt8]) throws -> (Int, String) {
            let response = try server.client.send(
                "POST", "/api/v1/projects/default/artifacts?kind=sources", headers: server.tokenHeader,
                body: Data(bytes))
            let code = (try? ModelCoding.decode(JSONValue.self, from: response.body))?["error"]?["code"]?.string
            return (response.status, code ?? response.text)
        }
        #expect(try send(Array("no zip".utf8)) == (400, "not_a_bundle"))
        let program = try SourceProgram()
        _ = try ChildProcess.run(
            SourceProgram.command, ["bundle", "-o", program.root, "--source-root", program.root, program.executable])
        let bundle = [UInt8](try Data(contentsOf: URL(filePath: "\(program.root)/\(program.buildID).sources.zip")))
        var broken = bundle
        // In the first entry's compressed bytes.
        broken[120] ^= 0xff
        #expect(try send(broken) == (400, "malformed"))
        #expect(try send(Array(bundle.prefix(bundle.count - 30))).0 == 400)
        #expect(server.folder.entries("data/tmp").isEmpty)
        #expect(try send(bundle).0 == 201)
        #expect(try send(bundle).0 == 200)
        #expect(try server.client.send("GET", "/readyz").status == 200)
    }
}
