// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Rows in PostgreSQL and images in an S3 store: `vaka admin` says what to do, and that does it.
struct PostgresBackupTests {
    private static let blobs = "s3://\(S3Server.bucket)/backups"

    private func admin(_ arguments: String..., environment: [String: String?] = [:]) throws -> ChildProcess.Result {
        try ChildProcess.run(BuildProducts.executable("vaka"), ["admin"] + arguments, environment: environment)
    }

    /// Runs the commands that a text has on lines of their own.
    private func follow(_ text: String, _ name: String, in folder: String, to database: String? = nil) throws {
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("  \(name) ") })
        let command = line.replacing("postgres://…/NEW", with: database ?? "")
        let done = try ChildProcess.run("sh", ["-c", String(command)], directory: folder)
        #expect(done.status == .exited(0), "\(command): \(done.errors)")
    }

    @Test func `the commands that are told copy a service under load, and restore it`() throws {
        let store = try S3Server()
        let database = try PostgresTestDatabase()
        let images = ["--blobs", Self.blobs, "--s3-endpoint", store.endpoint]
        let server = try ServerProcess(["--store", database.address] + images, environment: store.environment)
        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "program", source: "int main(void) { return 0; }\n", extension: "c", compiler: "gcc",
            flags: ["-g", "-Wl,--build-id=0x1122334455667788"], in: folder)
        #expect(try server.upload(Data(contentsOf: URL(filePath: program))).status == 201)
        let sender = Sender(server)
        try sender.send(20)
        let loading = sender.keepSending()
        _ = try eventually { loading.count > 0 ? true : nil }

        let data = server.folder.path + "/data"
        let told = try admin("backup", "--data", data, "--to", folder.path + "/backup")
        #expect(told.status == .exited(1))
        #expect(
            told.errors.contains("the rows are in PostgreSQL") && told.errors.contains(Self.blobs), "\(told.errors)")
        let byStore = try admin("backup", "--store", database.address)
        #expect(byStore.status == .exited(1) && byStore.errors.contains("pg_dump --format=custom"), "\(byStore.errors)")
        try follow(told.errors, "pg_dump", in: folder.path)
        #expect(loading.stop() > 0)
        let right = try admin("verify", "--data", data, environment: store.environment)
        #expect(right.status == .exited(0) && right.output.contains("1 uploaded files in "), "\(right)")

        let copy = try PostgresTestDatabase()
        try follow(told.errors, "pg_restore", in: folder.path, to: copy.address)
        let restored = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: restored.path + "/data", withIntermediateDirectories: true)
        for name in ["credentials.json", "blobs.json"] {
            #expect(told.errors.contains("\(data)/\(name)"))
            try FileManager.default.copyItem(
                atPath: data + "/" + name, toPath: restored.path + "/data/" + name)
        }
        let second = try ServerProcess(
            ["--store", copy.address] + images, folder: restored, environment: store.environment)
        #expect(second.credentials.adminToken == server.credentials.adminToken)
        for number in 1...20 {
            try second.eventually { try second.get("events/\(Sender.eventID(number))").status == 200 ? true : nil }
        }
        let image = try second.client.send(
            "GET", "/buildid/1122334455667788/executable", headers: second.tokenHeader)
        #expect(image.status == 200)
    }

    @Test
    func
        `a missing image is named, an older database in the folder is not taken for the rows, and no password is kept`()
        throws
    {
        let database = try PostgresTestDatabase()
        let address = database.address.replacing("user=vaka", with: "user=vaka&password=zq7kdatabase")
        let server = try ServerProcess(["--store", address])
        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "program", source: "int main(void) { return 0; }\n", extension: "c", compiler: "gcc",
            flags: ["-g", "-Wl,--build-id=0x1122334455667788"], in: folder)
        #expect(try server.upload(Data(contentsOf: URL(filePath: program))).status == 201)
        server.process.kill(SIGTERM)
        _ = try server.process.wait()
        let data = server.folder.path + "/data"
        let rows = try String(contentsOf: URL(filePath: data + "/rows.json"), encoding: .utf8)
        #expect(rows.contains(database.name) && !rows.contains("zq7kdatabase"), "\(rows)")

        let projects = try admin("project", "list", "--data", data)
        #expect(projects.output == "default\n", "what the folder remembers is managed: \(projects)")
        #expect(try admin("verify", "--data", data).status == .exited(0))
        try FileManager.default.removeItem(atPath: data + "/images")
        for arguments in [["--data", data], ["--data", data, "--store", database.address]] {
            let missing = try ChildProcess.run(
                BuildProducts.executable("vaka"), ["admin", "verify"] + arguments)
            #expect(missing.status == .exited(1))
            #expect(missing.output.contains("build id 1122334455667788) is not there: upload it again"), "\(missing)")
        }
        let wrong = try ChildProcess.run(
            BuildProducts.executable("vaka-server"), ["--data", data, "--listen", "127.0.0.1:0", "--no-system"])
        #expect(wrong.status == .exited(1) && wrong.errors.contains("are in PostgreSQL: start the server with --store"))
    }
}
