// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// The real command against the real service, on real crashes.
@Suite struct CommandServiceTests {
    private static let command = BuildProducts.executable("vaka")

    private func crasher(_ name: String) throws -> Crasher {
        try #require(Crasher.all.first { $0.name == name })
    }

    private func document(_ id: String, _ server: ServerProcess) throws -> Event? {
        let response = try server.get("events/\(id)")
        guard response.status == 200 else { return nil }
        return try ModelCoding.decode(Event.self, from: response.body)
    }

    private func issues(_ server: ServerProcess) throws -> [[String: JSONValue]] {
        let page = try ModelCoding.decode([String: JSONValue].self, from: try server.get("issues").body)
        guard case .array(let issues)? = page["issues"] else { return [] }
        return issues.compactMap(\.object)
    }

    private func submit(_ paths: [String], _ server: ServerProcess) throws -> ChildProcess.Result {
        try ChildProcess.run(
            Self.command,
            ["submit"] + paths + ["--url", server.credentials.url, "--key", server.credentials.ingestKey])
    }

    private func upload(_ paths: [String], _ server: ServerProcess) throws -> ChildProcess.Result {
        try ChildProcess.run(
            Self.command,
            ["upload", "debug"] + paths + ["--url", server.credentials.url, "--token", server.credentials.adminToken])
    }

    @Test func anImageUploadedLateMendsTheSameEvent() throws {
        let server = try ServerProcess()
        let crasher = try crasher("null-write")
        let run = try CrashRun(crasher)
        let id = try run.event().eventID
        #expect(try submit(run.records, server).status == .exited(0))

        let before = try server.eventually { try issues(server).first }
        let blind = try #require(try document(id, server)).crashedThread?.frames.first
        #expect(blind?.status == .missingImage)
        #expect(blind?.function == nil)

        let uploaded = try upload([crasher.executable], server)
        #expect(uploaded.status == .exited(0), "\(uploaded.errors)")
        let frame = try server.eventually {
            try document(id, server)?.crashedThread?.frames.first { $0.function == "book_order" }
        }
        #expect(frame.file?.hasSuffix("null-write.c") == true)
        #expect(frame.line != nil)
        let after = try issues(server)
        #expect(after.count == 1)
        #expect(after.first?["id"] == before["id"])
        #expect(after.first?["events"] == 1)

        let again = try upload([crasher.executable], server)
        #expect(again.status == .exited(0))
        #expect(again.output.contains("the service has it"))
    }

    /// The same document in gives the same document out, by the command and by the service.
    @Test func commandAndServiceSayTheSame() throws {
        let server = try ServerProcess()
        let crasher = try crasher("qsort-abort")
        #expect(try upload([crasher.executable], server).status == .exited(0))
        let run = try CrashRun(crasher)
        #expect(try submit(run.records, server).status == .exited(0))
        let stored = try server.eventually { () -> Event? in
            let event = try document(try run.event().eventID, server)
            return event?.crashedThread?.frames.first?.status == nil ? nil : event
        }
        let result = try ChildProcess.run(
            Self.command,
            ["symbolicate", "--no-system", "--symbols", crasher.executable, "--format", "json"] + run.records)
        let offline = try ModelCoding.decode(Event.self, from: result.outputData)
        #expect(stored.threads == offline.threads)
        #expect(stored.reason == offline.reason)
        #expect(stored.breadcrumbs == offline.breadcrumbs)
    }

    /// Symbolicating twice gives the same bytes.
    @Test func theCommandGivesTheSameBytesEachTime() throws {
        let run = try CrashRun(try crasher("uncaught-exception"))
        let outputs = try (0..<3).map { _ in
            try ChildProcess.run(Self.command, ["symbolicate", "--format", "json"] + run.records).outputData
        }
        #expect(!outputs[0].isEmpty)
        #expect(outputs[0] == outputs[1] && outputs[1] == outputs[2])
    }

    @Test func whatCannotBeUploadedIsToldAndTheRestIsUploaded() throws {
        let server = try ServerProcess()
        let folder = try TemporaryFolder()
        let bare = try CompiledProgram.build(
            "bare", source: "int main(void) { return 0; }", extension: "c", compiler: "gcc",
            flags: ["-g", "-Wl,--build-id=none"], in: folder)
        let good = try crasher("null-read").executable
        let result = try upload(["/etc/passwd", bare, folder.path + "/missing", good], server)
        #expect(result.status == .exited(1))
        #expect(result.output.contains("uploaded "))
        for words in ["/etc/passwd: is no ELF file", "bare: it has no build id", "missing: there is no such file"] {
            #expect(result.errors.contains(words), "\(result.errors)")
        }
        let artifacts = try server.get("artifacts").text
        #expect(artifacts.contains("null-read"))
    }

    @Test func aWrongKeyAndAWrongTokenAreNamed() throws {
        let server = try ServerProcess()
        let run = try CrashRun(try crasher("null-write"))
        let url = server.credentials.url
        let submitted = try ChildProcess.run(
            Self.command, ["submit"] + run.records + ["--url", url, "--key", "vk_wrong"])
        #expect(submitted.status == .exited(1))
        #expect(submitted.errors.contains("key"), "\(submitted.errors)")
        let uploaded = try ChildProcess.run(
            Self.command,
            ["upload", "debug", try crasher("null-write").executable, "--url", url, "--token", "va_wrong"])
        #expect(uploaded.status == .exited(1))
        #expect(uploaded.errors.contains("token"), "\(uploaded.errors)")
        // The record is still there, for the next try with the right key.
        #expect(try submit(run.records, server).status == .exited(0))
    }

    /// With no service there, the command says at once what it waits for, and takes an interruption.
    @Test func noServiceIsToldWithItsAddress() throws {
        let run = try CrashRun(try crasher("null-write"))
        let process = try ChildProcess(
            Self.command, ["submit"] + run.records + ["--url", "http://127.0.0.1:1", "--key", "vk_x"])
        let deadline = ContinuousClock.now + .seconds(20)
        while !process.errorsSoFar.contains("trying again"), ContinuousClock.now < deadline { usleep(10_000) }
        #expect(process.errorsSoFar.contains("http://127.0.0.1:1"), "\(process.errorsSoFar)")
        process.kill(SIGINT)
        #expect(try process.wait().status == .signalled(SIGINT))
    }

    /// A folder of C programs' records is emptied by sending, and what cannot be read is set aside.
    @Test func aStorageFolderIsDelivered() throws {
        let server = try ServerProcess()
        let storage = try TemporaryFolder()
        for name in ["null-write", "abort"] {
            _ = try ChildProcess.run(
                BuildProducts.crasher(name), [],
                environment: ["VAKA_STORAGE": storage.path, "LD_PRELOAD": BuildProducts.preloadLibrary])
        }
        try Data("no record".utf8).write(to: URL(filePath: storage.path + "/crashes/text.vakacrash"))
        let result = try submit([storage.path], server)
        #expect(result.status == .exited(0), "\(result.errors)")
        #expect(result.output.split(separator: "\n").count == 2)
        #expect(storage.entries("crashes").filter { $0.hasSuffix(".vakacrash") } == [])
        #expect(storage.entries("crashes/damaged") == ["text.vakacrash"])
        try server.eventually { try issues(server).count == 2 ? true : nil }
        let again = try submit([storage.path], server)
        #expect(again.errors.contains("nothing waits there"))
    }
}
