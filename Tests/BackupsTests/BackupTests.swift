// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// `vaka admin backup`, `restore` and `verify` with real servers.
struct BackupTests {
    private let folder: TemporaryFolder
    private var backup: String { folder.path + "/backup" }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `a backup under load restores to what was accepted before it, and verifies`() throws {
        let server = try ServerProcess()
        let buildID = try upload(to: server)
        let sender = Sender(server)
        try sender.send(20)
        let loading = sender.keepSending()
        let before = try eventually { loading.count > 0 ? loading.count : nil }
        let made = try admin("backup", "--data", server.folder.path + "/data", "--to", backup)
        let later = loading.stop()
        #expect(made.status == .exited(0), "\(made.errors)")
        #expect(made.output.hasPrefix("backed up "))
        #expect(later > before, "it was under load")

        let verified = try admin("verify", "--backup", backup)
        #expect(verified.status == .exited(0), "\(verified.output)\(verified.errors)")
        #expect(verified.output.hasPrefix("right: "))
        #expect(try filesOthersMayRead(backup) == [])

        let restored = try TemporaryFolder()
        let data = restored.path + "/data"
        let restoring = try admin("restore", "--from", backup, "--data", data)
        #expect(restoring.status == .exited(0), "\(restoring.errors)")
        #expect(try admin("verify", "--data", data).status == .exited(0))

        let second = try ServerProcess(folder: restored)
        #expect(second.credentials.adminToken == server.credentials.adminToken)
        for number in 1...20 {
            try second.eventually {
                try second.get("events/\(Sender.eventID(number))").status == 200 ? true : nil
            }
        }
        let image = try second.client.send("GET", "/buildid/\(buildID)/executable", headers: second.tokenHeader)
        #expect(image.status == 200)
        #expect(try admin("verify", "--data", data).status == .exited(0), "it may be in use")
    }

    @Test func `damage is named and nothing damaged is restored`() throws {
        let server = try ServerProcess()
        let buildID = try upload(to: server)
        try Sender(server).send(1)
        #expect(try admin("backup", "--data", server.folder.path + "/data", "--to", backup).status == .exited(0))
        let name = "images/\(buildID.prefix(2))/\(buildID.dropFirst(2))/executable"
        try change(backup + "/" + name) { $0[$0.count / 2] ^= 1 }

        let verified = try admin("verify", "--backup", backup)
        #expect(verified.status == .exited(1))
        #expect(verified.output.contains("\(name) is not what was written"))
        let restored = try admin("restore", "--from", backup, "--data", folder.path + "/new")
        #expect(restored.status == .exited(1))
        // It and the file that names addresses are one.
        #expect(restored.errors.contains("is not what was backed up (its SHA-256 differs); take another backup"))
        #expect(access(folder.path + "/new/vaka.db", F_OK) != 0, "no server takes it for data")

        unlink(server.folder.path + "/data/" + name)
        let missing = try admin("verify", "--data", server.folder.path + "/data")
        #expect(missing.status == .exited(0), "what names addresses is there still")
        unlink(server.folder.path + "/data/images/\(buildID.prefix(2))/\(buildID.dropFirst(2))/debuginfo")
        let gone = try admin("verify", "--data", server.folder.path + "/data")
        #expect(gone.status == .exited(1))
        #expect(gone.output.contains("build id \(buildID)) is not there: upload it again"))
    }

    @Test func `a damaged database is said to be one`() throws {
        let server = try ServerProcess()
        try Sender(server).send(5)
        server.process.kill(SIGTERM)
        #expect(try server.process.wait().status == .exited(0))
        let data = server.folder.path + "/data"
        try change(data + "/vaka.db") { bytes in
            for index in stride(from: 8192, to: bytes.count, by: 64) { bytes[index] ^= 0x5a }
        }
        let verified = try admin("verify", "--data", data)
        #expect(verified.status == .exited(1))
        #expect((verified.output + verified.errors).contains("damaged") || verified.errors.contains("malformed"))
        let made = try admin("backup", "--data", data, "--to", backup)
        #expect(made.status == .exited(1))
        #expect(access(backup + "/backup.json", F_OK) != 0)
    }

    @Test(arguments: ["../outside", "/etc/passwd", "images//x", "./vaka.db", ""])
    func `a manifest names nothing outside of the backup`(_ path: String) throws {
        mkdir(backup, 0o700)
        let manifest = """
            {"backup_version":1,"made_at":"2026-01-01T00:00:00.000Z","schema":1,"counts":{"projects":0,"issues":0,
            "events":0,"attachments":0,"sessions":0,"waiting":0},"files":[{"path":"\(path)","bytes":1,"sha256":"00"}]}
            """
        try Data(manifest.utf8).write(to: URL(filePath: backup + "/backup.json"))
        let restored = try admin("restore", "--from", backup, "--data", folder.path + "/new")
        #expect(restored.status == .exited(1))
        #expect(restored.errors.contains("which lies outside of the backup"))
    }

    @Test func `wrong usage is status 2, and what is in the way is said`() throws {
        for arguments in [["nothing"], ["backup"], ["backup", "--data", "x"], ["verify"], ["restore", "--to", "x"]] {
            #expect(try admin(arguments).status == .exited(2), "\(arguments)")
        }
        #expect(try admin("--help").output.contains("makes a data folder of a backup"))
        let none = try admin("restore", "--from", folder.path, "--data", folder.path + "/new")
        #expect(none.status == .exited(1))
        #expect(none.errors.contains("is no whole backup"))
        let data = try admin("backup", "--data", folder.path, "--to", backup)
        #expect(data.status == .exited(1))
        #expect(data.errors.contains("is no data folder of a service"))
        let server = try ServerProcess()
        try Data().write(to: URL(filePath: folder.path + "/here"))
        let full = try admin("backup", "--data", server.folder.path + "/data", "--to", folder.path)
        #expect(full.status == .exited(1))
        #expect(full.errors.contains("is not empty: a backup needs a folder of its own"))
    }

    private func admin(_ arguments: String...) throws -> ChildProcess.Result { try admin(arguments) }

    /// As people call it: through `vaka`.
    private func admin(_ arguments: [String]) throws -> ChildProcess.Result {
        try ChildProcess.run(BuildProducts.executable("vaka"), ["admin"] + arguments)
    }

    private func upload(to server: ServerProcess) throws -> String {
        let program = try CompiledProgram.build(
            "program", source: "int main(void) { return 0; }\n", extension: "c", compiler: "gcc",
            flags: ["-g", "-Wl,--build-id=0x1122334455667788"], in: folder)
        let answer = try server.upload(Data(contentsOf: URL(filePath: program)))
        #expect(answer.status == 201, "\(answer.text)")
        return "1122334455667788"
    }

    private func change(_ path: String, _ body: (inout [UInt8]) -> Void) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        body(&bytes)
        try Data(bytes).write(to: URL(filePath: path))
    }

    private func filesOthersMayRead(_ folder: String) throws -> [String] {
        try ChildProcess.run("find", [folder, "-type", "f", "-perm", "/077"]).output.split(separator: "\n").map(
            String.init)
    }
}
