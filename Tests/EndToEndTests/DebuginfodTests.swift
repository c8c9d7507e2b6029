// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// Images that are not on the machine come from a debuginfod server: to the command, and to the service.
@Suite struct DebuginfodTests {
    private static let buildID = "d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0"
    private let folder: TemporaryFolder
    private let program: String
    private let report: String

    init() throws {
        folder = try TemporaryFolder()
        program = try CompiledProgram.build(
            "program", source: "int main(void) { return 0; }\n", extension: "c", compiler: "gcc",
            flags: ["-g", "-Wl,--build-id=0x\(Self.buildID)"], in: folder)
        report = folder.path + "/report.json"
        try Data(try Self.event(program).utf8).write(to: URL(filePath: report))
    }

    /// A crash in the program, which is nowhere where the report says.
    private static func event(_ program: String) throws -> String {
        let symbols = try CompiledProgram.tool("nm", [program]).split(separator: "\n")
        let line = try #require(symbols.first { $0.hasSuffix(" main") })
        let main = try #require(UInt64(line.prefix { $0 != " " }, radix: 16))
        let base: UInt64 = 0x5555_5555_4000
        var event = Event(
            eventID: String(repeating: "d", count: 32), type: .crash, timestamp: Timestamp(milliseconds: 0),
            level: .fatal, arch: "x86_64")
        event.debugImages = [
            DebugImage(
                buildID: BuildID(hex: buildID), codeFile: "/srv/nowhere/program", imageAddress: HexAddress(base),
                imageSize: 0x5000, loadBias: HexAddress(base))
        ]
        event.threads = [
            ThreadState(
                id: 1, crashed: true,
                frames: [Frame(instructionAddress: HexAddress(base + main + 4), trust: .context)])
        ]
        return String(decoding: try ModelCoding.encode(event), as: UTF8.self)
    }

    private func symbolicate(_ arguments: [String], urls: String? = nil) throws -> (ChildProcess.Result, Event) {
        let result = try ChildProcess.run(
            BuildProducts.executable("vaka"), ["symbolicate", "--format", "json"] + arguments + [report],
            environment: ["DEBUGINFOD_URLS": urls, "XDG_CACHE_HOME": folder.path + "/cache"])
        #expect(result.status == .exited(0), "\(result.errors)")
        return (result, try ModelCoding.decode(Event.self, from: result.outputData))
    }

    /// The service's address with a token in it, as gdb and elfutils take it.
    private static func url(of server: ServerProcess) -> String {
        server.credentials.url.replacing("http://", with: "http://x:\(server.credentials.adminToken)@")
    }

    @Test func theCommandAsksTheServiceThatItIsToldOf() throws {
        let server = try ServerProcess()
        #expect(try server.upload(try Data(contentsOf: URL(filePath: program))).status == 201)
        let (first, event) = try symbolicate(["--debuginfod", Self.url(of: server)])
        #expect(event.threads[0].frames.map(\.function) == ["main"])
        #expect(event.debugImages[0].status == .found)
        #expect(event.debugImages[0].source == "debuginfod \(server.credentials.url)")
        #expect(!first.output.contains(server.credentials.adminToken) && first.errors.isEmpty, "\(first.errors)")
        // What was given is kept.
        server.process.kill(9)
        let (_, again) = try symbolicate(["--debuginfod", Self.url(of: server)])
        #expect(again.threads == event.threads && again.debugImages[0].source == "debuginfod cache")
    }

    @Test func theEnvironmentsServersAreAskedAndSaid() throws {
        let server = try ScriptedServer(default: .init(status: 404))
        let (none, missing) = try symbolicate([])
        #expect(none.errors.isEmpty && missing.debugImages[0].status == .missing)
        let (without, _) = try symbolicate(["--no-system"], urls: server.url)
        #expect(try without.errors.isEmpty && server.requests().isEmpty)
        let (asked, event) = try symbolicate([], urls: server.url)
        #expect(asked.errors.contains("DEBUGINFOD_URLS says: \(server.url)"))
        let paths = try server.requests().map(\.path)
        #expect(paths == ["debuginfo", "executable"].map { "/buildid/\(Self.buildID)/\($0)" })
        #expect(event.loss.contains { $0.why.contains("\(server.url) has no debuginfo of it") }, "\(event.loss)")
    }

    @Test func addressesOfFilesAreRefused() throws {
        let result = try ChildProcess.run(
            BuildProducts.executable("vaka"), ["symbolicate", "--debuginfod", "file:///usr/lib/debug", report])
        #expect(result.status == .exited(2) && result.errors.contains("--symbols"), "\(result.errors)")
    }

    /// Where nobody is to be asked, nothing is loaded to ask with.
    @Test func noNetworkLibraryIsLoadedUnasked() throws {
        for urls in [nil, "http://127.0.0.1:9"] {
            let result = try ChildProcess.run(
                BuildProducts.executable("vaka"), ["symbolicate", report],
                environment: [
                    "LD_DEBUG": "files", "DEBUGINFOD_URLS": urls, "XDG_CACHE_HOME": folder.path + "/cache",
                    "LD_DEBUG_OUTPUT": folder.path + "/loaded",
                ])
            #expect(result.status == .exited(0))
            let names = folder.entries().filter { $0.hasPrefix("loaded") }
            let loaded = try names.map {
                try String(contentsOf: URL(filePath: folder.path + "/" + $0), encoding: .utf8)
            }
            #expect(loaded.joined().contains("libcurl") == (urls != nil))
        }
    }

    @Test func theServiceFetchesWhatEventsWaitFor() throws {
        let upstream = try ServerProcess()
        #expect(try upstream.upload(try Data(contentsOf: URL(filePath: program))).status == 201)
        let server = try ServerProcess(["--debuginfod", Self.url(of: upstream)])
        let payload = try String(contentsOf: URL(filePath: report), encoding: .utf8)
        let batch = """
            {"schema_version":1,"install_id":"i","sequence":1,"sent_at":"2026-01-01T00:00:00.000Z",
             "items":[{"kind":"event","id":"1","payload":\(payload)}]}
            """
        #expect(try server.ingest(batch).status == 202)
        let event: Event = try server.eventually {
            let response = try server.get("events/" + String(repeating: "d", count: 32))
            let event = try? ModelCoding.decode(Event.self, from: response.body)
            return event?.debugImages[0].status == .found ? event : nil
        }
        #expect(event.threads[0].frames.map(\.function) == ["main"])
        #expect(try server.client.send("GET", "/metrics").text.contains("vaka_images_fetched_total 1\n"))
        // What others gave to the service is not the project's to give on.
        let given = try server.client.send("GET", "/buildid/\(Self.buildID)/debuginfo", headers: server.tokenHeader)
        #expect(given.status == 404)
        #expect(try server.get("artifacts").text.contains(Self.buildID) == false)
        #expect(server.folder.entries("data/tmp").isEmpty)
    }

    @Test func theServiceTakesNoOtherImage() throws {
        let other = try CompiledProgram.build(
            "other", source: "int main(void) { return 1; }\n", extension: "c", compiler: "gcc", flags: [], in: folder)
        let upstream = try ScriptedServer(default: .init(status: 200, file: other))
        let server = try ServerProcess(["--debuginfod", upstream.url])
        let payload = try String(contentsOf: URL(filePath: report), encoding: .utf8)
        for number in 1...2 {
            let batch = """
                {"schema_version":1,"install_id":"i","sequence":1,"sent_at":"2026-01-01T00:00:00.000Z","items":[{"kind":"event",
                 "id":"\(number)","payload":\(payload.replacing("dddddddd", with: "0000000\(number)"))}]}
                """
            #expect(try server.ingest(batch).status == 202)
            try server.eventually { try upstream.requests().count == 2 ? true : nil }
            try server.eventually {
                try server.client.send("GET", "/metrics").text.contains("vaka_events_stored_total \(number)\n")
                    ? true : nil
            }
        }
        #expect(server.process.errorsSoFar.contains("not \(Self.buildID)"), "\(server.process.errorsSoFar)")
        #expect(server.folder.entries("data/debuginfod").isEmpty && server.folder.entries("data/tmp").isEmpty)
    }
}
