// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

struct LifecycleTests {
    @Test func `the first start writes credentials for its owner alone`() throws {
        let server = try ServerProcess()
        let file = server.folder.path + "/data/credentials.json"
        var information = stat()
        #expect(stat(file, &information) == 0)
        #expect(information.st_mode & 0o777 == 0o600)
        #expect(server.credentials.project == "default")
        #expect(server.credentials.ingestKey.hasPrefix("vk_"))
        #expect(server.credentials.adminToken.hasPrefix("va_"))
        #expect(
            server.process.outputSoFar == "listening on \(server.credentials.url)\n",
            "standard output holds nothing else")
        #expect(server.process.errorsSoFar.contains(server.credentials.adminToken), "they are shown once")
    }

    @Test func `secrets are in no other file`() throws {
        let server = try ServerProcess()
        _ = try server.session()
        for name in server.folder.entries("data") where name != "credentials.json" {
            let data = (try? Data(contentsOf: URL(filePath: server.folder.path + "/data/" + name))) ?? Data()
            for secret in [server.credentials.ingestKey, server.credentials.adminToken] {
                #expect(data.firstRange(of: Data(secret.dropFirst(12).utf8)) == nil, "\(name)")
            }
        }
    }

    @Test func `a later start keeps the credentials and tells the new address`() throws {
        let first = try ServerProcess()
        _ = try first.accepted(try Samples.batch(Samples.crash(1)))
        _ = try first.event(1)
        first.process.kill(SIGTERM)
        #expect(try first.process.wait().status == .exited(0))
        let second = try ServerProcess(folder: first.folder)
        #expect(second.credentials.ingestKey == first.credentials.ingestKey)
        #expect(second.credentials.adminToken == first.credentials.adminToken)
        #expect(second.credentials.url == second.process.outputSoFar.dropFirst("listening on ".count).dropLast())
        #expect(!second.process.errorsSoFar.contains(second.credentials.adminToken))
        #expect(try second.event(1).eventID == Samples.eventID(1))
    }

    @Test(arguments: [SIGTERM, SIGINT]) func `a signal ends it cleanly and leaves no child`(_ signal: Int32) throws {
        let server = try ServerProcess()
        #expect(try server.client.send("GET", "/readyz").status == 200, "the worker is started")
        server.process.kill(signal)
        #expect(try server.process.wait(seconds: 20).status == .exited(0))
        let files = server.folder.entries("data")
        #expect(!files.contains("vaka.db-wal"), "the journal is folded into the database: \(files)")
    }

    @Test func `a second server on the same data is refused`() throws {
        let server = try ServerProcess()
        let second = try ChildProcess.run(
            BuildProducts.executable("vaka-server"),
            ["--data", server.folder.path + "/data", "--listen", "127.0.0.1:0"])
        #expect(second.status == .exited(1))
        #expect(second.errors.contains("another vaka-server is using the data folder"))
        #expect(second.output.isEmpty)
        #expect(try server.client.send("GET", "/healthz").status == 200)
    }

    @Test func `wrong usage is status 2 with a way on`() throws {
        let program = BuildProducts.executable("vaka-server")
        for arguments in [[], ["--data"], ["--nothing"], ["--data", "x", "--workers", "none"]] {
            let result = try ChildProcess.run(program, arguments)
            #expect(result.status == .exited(2), "\(arguments)")
            #expect(result.errors.contains("--help"))
        }
        let help = try ChildProcess.run(program, ["--help"])
        #expect(help.status == .exited(0))
        #expect(help.output.contains("--data DIR"))
        let port = try ChildProcess.run(program, ["--data", "/proc/nowhere", "--listen", "127.0.0.1:0"])
        #expect(port.status == .exited(1))
        #expect(port.errors.contains("/proc/nowhere"))
    }

    @Test func `a port that is taken is named`() throws {
        let server = try ServerProcess()
        let folder = try TemporaryFolder()
        let result = try ChildProcess.run(
            BuildProducts.executable("vaka-server"),
            ["--data", folder.path + "/data", "--listen", "127.0.0.1:\(server.client.port)"])
        #expect(result.status == .exited(1))
        #expect(result.errors.contains("cannot listen on 127.0.0.1:\(server.client.port)"))
    }

    @Test func `readiness and metrics tell how it is`() throws {
        let server = try ServerProcess()
        _ = try server.accepted(try Samples.batch(Samples.crash(1)))
        _ = try server.event(1)
        let ready = try ModelCoding.decode(JSONValue.self, from: try server.client.send("GET", "/readyz").body)
        #expect(ready["status"] == "ready")
        #expect(ready["worker"] == "alive")
        let metrics = try server.client.send("GET", "/metrics").text
        #expect(metrics.contains("vaka_events_stored_total 1\n"))
        #expect(metrics.contains("vaka_items_accepted_total 1\n"))
    }
}
