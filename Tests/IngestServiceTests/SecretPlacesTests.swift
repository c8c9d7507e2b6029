// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import EventStore
@testable import IngestService

/// Secrets in everything that a program sends, looked for wherever it goes.
struct SecretPlacesTests {
    private static let memory = Data("zq7k-memory-of-a-stack-".utf8)
    /// As documents have it.
    private static let memoryAsText = memory.base64EncodedData().prefix(28)
    private static let number = 1
    private var event: String { Samples.eventID(Self.number) }

    private var batch: String {
        get throws {
            var event = PlantedSecrets.event(Self.number)
            event.threads[0].frames.append(
                Frame(
                    instructionAddress: HexAddress(0x1020), trust: .cfi, module: "app", buildID: BuildID(hex: "abcd"),
                    relativeAddress: HexAddress(0x20), status: .missingImage))
            event.threads[0].stack = MemoryRegion(
                address: HexAddress(0x7ffd_0000_0000), data: Self.memory + Data(repeating: 7, count: 41))
            let text = Data(PlantedSecrets.all.utf8)
            let attachment: JSONValue = [
                "kind": "attachment", "id": .string(self.event + "-0"),
                "payload": [
                    "event_id": .string(self.event), "name": .string(PlantedSecrets.texts[0]),
                    "size": .integer(Int64(text.count)), "offset": 0, "data": .string(text.base64EncodedString()),
                ],
            ]
            // Of which only the release tells which build it is.
            var bare = PlantedSecrets.event(2)
            bare.debugImages = []
            return Samples.batch([
                try Samples.item(event), try Samples.item(bare),
                String(decoding: try ModelCoding.encode(attachment), as: UTF8.self),
            ])
        }
    }

    @Test(arguments: [false, true])
    func `planted secrets are in no alert, log, journal, backup, core, metric, answer or page`(isSealed: Bool) throws {
        let mails = try MailServer()
        let hooks = try ScriptedServer(default: .init(status: 200))
        let keys = try TemporaryFolder()
        let key = keys.path + "/key"
        try Data(repeating: 7, count: 32).write(to: URL(filePath: key))
        chmod(key, 0o600)
        let server = try ServerProcess(
            [
                "--alert-network", "127.0.0.0/8", "--smtp", "smtp+plain://127.0.0.1:\(mails.port)", "--mail-from",
                "vaka@example.org",
            ] + (isSealed ? ["--key-file", key] : []))
        for (channel, address) in [
            ("webhook", hooks.url + "/hook"), ("slack", hooks.url + "/slack"), ("email", "ann@example.com"),
        ] { _ = try server.add(channel, address) }

        try server.signalWorkers(SIGSTOP)
        #expect(try server.accepted(try batch).accepted == 3)
        try check(stored(server), isSealed, "the spool and its journal")
        try server.signalWorkers(SIGCONT)
        for number in [Self.number, 2] { _ = try server.event(number) }
        try server.eventually {
            try server.json("events/\(event)/attachments")["attachments"]?.array.count == 1 ? true : nil
        }
        try check(stored(server), isSealed, "the database and its journal")
        try checkBackup(server, isSealed)

        _ = try hooks.waitForRequests(2)
        let mail = try server.eventually { try mails.mails().first }
        let sent = try hooks.requests().map { "\($0.headers) \($0.path) \($0.body)" } + ["\(mail)"]
        #expect(sent.allSatisfy { $0.contains("[scrubbed: secret]") }, "it is told of the event: \(sent)")
        try check(sent.map { Data($0.utf8) }, true, "an alert")
        try checkAnswers(server)
        try checkCore(server)
        server.process.kill(SIGTERM)
        try check([Data(try server.process.wait().errors.utf8)], true, "the log")
    }

    private func stored(_ server: ServerProcess) throws -> [Data] {
        [
            try StoredContents.rows(server.folder.path + "/data/vaka.db"),
            try StoredContents.files(server.folder.path),
        ]
    }

    /// Captured memory is kept while it helps: readable, or sealed.
    private func check(_ places: [Data], _ isMemoryAway: Bool, _ name: Comment) throws {
        for place in places {
            #expect(!place.isEmpty, name)
            for secret in PlantedSecrets.secrets {
                #expect(place.firstRange(of: Data(secret.utf8)) == nil, "\(secret) in \(name)")
            }
            guard isMemoryAway else { continue }
            #expect(place.firstRange(of: Self.memory) == nil && place.firstRange(of: Self.memoryAsText) == nil, name)
        }
    }

    private func checkBackup(_ server: ServerProcess, _ isSealed: Bool) throws {
        let backup = server.folder.path + "/backup"
        let made = try ChildProcess.run(
            BuildProducts.executable("vaka"),
            ["admin", "backup", "--data", server.folder.path + "/data", "--to", backup])
        #expect(made.status == .exited(0), "\(made.errors)")
        let kept = [try StoredContents.rows(backup + "/vaka.db"), try StoredContents.files(backup)]
        try check(kept, isSealed, "a backup")
        let hasMemory = kept[0].firstRange(of: Self.memoryAsText) != nil
        #expect(hasMemory == !isSealed, "without a key it is there, as the documentation says")
    }

    /// Every answer and page that can be had of what is there, and the metrics.
    private func checkAnswers(_ server: ServerProcess) throws {
        let paths =
            try ModelCoding.decode(
                JSONValue.self, from: try server.client.send("GET", "/openapi.json").body)["paths"]?.object ?? [:]
        let session = try server.session()
        var found = 0
        for (path, methods) in paths.sorted(by: { $0.key < $1.key }) where methods["get"] != nil {
            let isOfEvent = path.contains("/events/")
            let filled = path.replacing("{p}", with: "default").replacing("{id}", with: isOfEvent ? event : "1")
                .replacing("{number}", with: "0")
            for headers in [server.tokenHeader, session] {
                let answer = try server.client.send("GET", filled, headers: headers)
                if answer.status == 200 { found += 1 }
                let name: Comment = "GET \(filled)"
                if !answer.body.isEmpty { try check([answer.body], true, name) }
            }
        }
        #expect(found > 30, "\(found) answers")
        let whole = try server.get("events/\(event)/attachments/0")
        #expect(whole.text.contains("[scrubbed: secret]"), "\(whole.text)")
    }

    /// Of what the service gives out, for a debugger.
    private func checkCore(_ server: ServerProcess) throws {
        let folder = try TemporaryFolder()
        let document = folder.path + "/event.json"
        try server.get("events/\(event)").body.write(to: URL(filePath: document))
        let made = try ChildProcess.run(
            BuildProducts.executable("vaka"), ["core", document, "-o", folder.path + "/core", "--no-system"])
        let core = (try? Data(contentsOf: URL(filePath: folder.path + "/core"))) ?? Data()
        try check([Data((made.output + made.errors).utf8) + core], true, "a core of an event")
    }
}
