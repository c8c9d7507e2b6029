// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// What the service tells of the machine, and gives to debuggers, of a real crash.
@Suite struct MachineStateTests {
    private let server: ServerProcess
    private let folder: TemporaryFolder
    private let program: String
    private let event: Event

    /// The program is uploaded, and is not there any more.
    init() throws {
        server = try ServerProcess()
        folder = try TemporaryFolder()
        program = folder.path + "/null-write"
        try FileManager.default.copyItem(atPath: BuildProducts.crasher("null-write"), toPath: program)
        let storage = folder.path + "/storage"
        _ = try ChildProcess.run(
            program, [],
            environment: [
                "SWIFT_BACKTRACE": "enable=no", "LD_PRELOAD": BuildProducts.preloadLibrary, "VAKA_STORAGE": storage,
            ])
        let to = ["--url", server.credentials.url]
        for words in [
            ["upload", "debug", program, "--token", server.credentials.adminToken],
            ["submit", storage, "--key", server.credentials.ingestKey],
        ] {
            let done = try ChildProcess.run(RunSetup.command, words + to, environment: RunSetup.environment)
            #expect(done.status == .exited(0), "\(words): \(done.errors)")
        }
        let server = server
        event = try server.eventually {
            let list = try ModelCoding.decode(JSONValue.self, from: try server.get("issues/1/events").body)
            guard case .array(let events)? = list["events"], let id = events.first?["event_id"]?.string else {
                return nil
            }
            return try ModelCoding.decode(Event.self, from: server.get("events/\(id)").body)
        }
    }

    private func state(_ id: String) throws -> JSONValue {
        let answer = try server.get("events/\(id)/machine")
        #expect(answer.status == 200, "\(answer.text)")
        return try ModelCoding.decode(JSONValue.self, from: answer.body)
    }

    private func instructions(_ state: JSONValue) throws -> [JSONValue] {
        guard case .array(let lines)? = state["instructions"] else {
            throw ChildProcess.Failure(description: "\(state)")
        }
        return lines
    }

    /// As objdump has them: bytes and text by address.
    private func disassembled(_ start: UInt64, _ count: UInt64) throws -> [UInt64: String] {
        let text = try CompiledProgram.tool(
            "objdump",
            [
                "-d", "-M", "intel", "--no-show-raw-insn", "--start-address=\(start)",
                "--stop-address=\(start + count)",
                BuildProducts.crasher("null-write"),
            ])
        let lines = text.matches(of: /(?m)^ +([0-9a-f]+):\t(\S+)/).map { (UInt64($0.1, radix: 16) ?? 0, String($0.2)) }
        return Dictionary(lines, uniquingKeysWith: { first, _ in first })
    }

    private func check(_ state: JSONValue, from source: String) throws {
        #expect(state["instructions_from"]?.string == source, "\(state["why_no_instructions"] ?? .null)")
        let lines = try instructions(state)
        let current = try #require(lines.first { $0["current"] == .bool(true) })
        let frame = try #require(event.crashedThread?.frames.first)
        #expect(current["address"]?.string == frame.instructionAddress.description)
        #expect(
            current["function"]?.string == "book_order" && current["line"] == frame.line.map { .integer(Int64($0)) })
        let call = lines.last {
            $0["text"]?.string?.hasPrefix("call ") == true && $0["function"] == current["function"]
        }
        #expect(call?["target"]?.string == "find_customer")
        // Another decoder, from the function's own start on.
        let relative = try #require(frame.relativeAddress?.rawValue)
        let truth = try disassembled(relative, 64)
        let bias = frame.instructionAddress.rawValue - relative
        let compared = lines.filter { line in
            guard let address = line["address"]?.string.flatMap({ HexAddress(hex: $0) })?.rawValue,
                let expected = truth[address - bias]
            else { return false }
            #expect(line["text"]?.string?.split(separator: " ").first.map(String.init) == expected, "\(line)")
            return true
        }
        #expect(compared.count >= 5)
    }

    @Test func instructionsAreThoseOfTheProcessElseThoseOfTheImage() throws {
        let state = try state(event.eventID)
        try check(state, from: "memory")
        guard case .array(let regions)? = state["memory"] else { throw ChildProcess.Failure(description: "no memory") }
        let pointers = regions.flatMap { region -> [String] in
            if case .array(let names)? = region["registers"] { names.compactMap(\.string) } else { [] }
        }
        #expect(pointers.contains("rsp"))

        // The same again, from a sender that keeps no memory.
        var bare = event.withoutMemory
        bare.eventID = String(repeating: "b", count: 32)
        let batch = Batch(
            sdk: SDKInfo(name: "vaka-test", version: "1"), installID: "i", sequence: 1, sentAt: .now,
            items: [
                BatchItem(
                    kind: .event, id: bare.eventID,
                    payload: try ModelCoding.decode(JSONValue.self, from: ModelCoding.encode(bare)))
            ])
        #expect(try server.ingest(String(decoding: try ModelCoding.encode(batch), as: UTF8.self)).status == 202)
        try server.eventually { try server.get("events/\(bare.eventID)").status == 200 ? true : nil }
        let image = try self.state(bare.eventID)
        try check(image, from: "image")
        #expect(image["why_no_memory"]?.string == "no memory was captured, or it is no longer kept")
    }

    /// By the commands that the page shows, but for the output of curl.
    @Test func gdbOpensTheCoreWithNothingButTheService() throws {
        let core = try server.get("events/\(event.eventID)/core")
        #expect(core.status == 200 && core.headers["vaka-memory"] == "kept", "\(core.text.prefix(300))")
        let path = folder.path + "/core"
        try core.body.write(to: URL(filePath: path))
        try FileManager.default.removeItem(atPath: program)
        let url = server.credentials.url.replacing("http://", with: "http://x:\(server.credentials.adminToken)@")
        let answer = try ChildProcess.run(
            "gdb", ["-batch", "-nx", "-iex", "set debuginfod enabled on", "-core", path, "-ex", "bt"],
            environment: [
                "DEBUGINFOD_URLS": url, "DEBUGINFOD_CACHE_PATH": folder.path + "/cache", "HOME": folder.path,
            ], seconds: 120)
        #expect(answer.output.contains("book_order (") && answer.output.contains("null-write.c:22"), "\(answer)")
        #expect(answer.output.contains("main (argc="), "the captured stack is there")
    }
}
