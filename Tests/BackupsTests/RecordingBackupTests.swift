// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Screen recordings in a backup.
struct RecordingBackupTests {
    private static let name = String(repeating: "0a", count: 16)

    private func part(_ number: Int, event: String? = nil) -> Recording {
        var part = Recording(
            recordingID: Self.name, part: number, started: Timestamp(milliseconds: 1_700_000_000_000), privacy: .none,
            quality: .high)
        part.eventID = event
        part.sessionID = "session"
        part.userID = "ann"
        part.duration = 1000
        let drawing = RecordingDrawing(kind: .text, x: 0, y: 0, width: 9, height: 9, text: "Größe \(number)")
        part.frames = [
            RecordingFrame(
                at: 0, width: 10, height: 10, changes: [RecordingChange(index: 0, removed: 0, drawings: [drawing])])
        ]
        return part
    }

    /// The list, and every part.
    private func told(_ server: ServerProcess) throws -> [String] {
        let list = try server.get("recordings?limit=200").text
        let parts = try ModelCoding.decode(JSONValue.self, from: Data(list.utf8))["recordings"]
        guard case .array(let rows)? = parts else { return [list] }
        return try [list]
            + rows.map { row in
                guard case .integer(let id)? = row["id"] else { return "?" }
                return try server.get("recordings/\(id)").text
            }
    }

    @Test(arguments: [false, true]) func `recordings are the same after a backup and its restoring`(
        isSealed: Bool
    ) throws {
        let folder = try TemporaryFolder()
        var arguments: [String] = []
        if isSealed {
            try Data((String(repeating: "5a", count: 32) + "\n").utf8).write(to: URL(filePath: folder.path + "/key"))
            chmod(folder.path + "/key", 0o600)
            arguments = ["--key-file", folder.path + "/key"]
        }
        let server = try ServerProcess(arguments)
        let sender = Sender(server)
        try sender.send(1)
        let items = try [part(0), part(1), part(1, event: Sender.eventID(1))].enumerated().map { number, part in
            "{\"kind\":\"recording\",\"id\":\"r\(number)\",\"payload\":"
                + String(decoding: try ModelCoding.encode(part), as: UTF8.self) + "}"
        }
        #expect(try server.ingest("{\"schema_version\":1,\"items\":[\(items.joined(separator: ","))]}").status == 202)
        let before = try server.eventually { () -> [String]? in
            let told = try told(server)
            return told.count == 4 ? told : nil
        }
        #expect(before.contains { $0.contains("Größe 1") })
        let backup = folder.path + "/backup"
        func admin(_ words: String...) throws -> ChildProcess.Result {
            try ChildProcess.run(BuildProducts.executable("vaka"), ["admin"] + words)
        }
        let made = try admin("backup", "--data", server.folder.path + "/data", "--to", backup)
        #expect(made.status == .exited(0), "\(made.errors)")
        let restored = try TemporaryFolder()
        let restoring = try admin("restore", "--from", backup, "--data", restored.path + "/data")
        #expect(restoring.status == .exited(0), "\(restoring.errors)")
        let second = try ServerProcess(arguments, folder: restored)
        #expect(try told(second) == before)
        let ofEvent = try second.get("events/\(Sender.eventID(1))/recordings").text
        #expect(ofEvent.contains(Self.name))
        // Where there is a key, no text is in the backup.
        for name in try FileManager.default.subpathsOfDirectory(atPath: backup) where isSealed {
            let data = FileManager.default.contents(atPath: backup + "/" + name)
            #expect(data?.firstRange(of: Data("Größe".utf8)) == nil, "\(name)")
        }
    }
}
