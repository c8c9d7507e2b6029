// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// A listening socket that a service manager hands over.
struct SocketActivationTests {
    private let folder: TemporaryFolder
    private let server = BuildProducts.executable("vaka-server")
    private var data: String { folder.path + "/data" }

    private struct Missing: Error {}

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `restarts refuse nobody, and everything accepted is there once`() throws {
        let batch = folder.path + "/batch.json"
        try Data(try Samples.batch(Samples.crash(1)).utf8).write(to: URL(filePath: batch))
        let result = try ChildProcess.run(
            "python3", [BuildProducts.root + "/Tests/Support/restart_on_one_socket.py", server, data, batch],
            seconds: 240)
        let found = try ModelCoding.decode(JSONValue.self, from: result.outputData)
        #expect(found["failed"] == .array([]), "\(result.errors)")
        guard case .integer(let accepted)? = found["accepted"] else { throw Missing() }
        #expect(accepted >= 160)
        #expect(found["stored"] == .integer(accepted))
        let runs = [JSONValue](repeating: .array([.string("READY=1"), .string("STOPPING=1")]), count: 4)
        #expect(found["told"] == .array(runs))
    }

    /// The first connection starts it, and is answered.
    @Test func `systemd starts it when somebody connects`() throws {
        let port = try freePort()
        let manager = try ChildProcess(
            "systemd-socket-activate", ["--listen", "127.0.0.1:\(port)", server, "--data", data, "--no-system"],
            environment: ["SWIFT_BACKTRACE": "enable=no"])
        defer {
            manager.kill(SIGTERM)
            _ = try? manager.wait(seconds: 20)
        }
        try eventually { manager.errorsSoFar.contains("Listening on") ? true : nil }
        #expect(!manager.outputSoFar.contains("listening on"))
        let client = try HTTPClient(url: "http://127.0.0.1:\(port)")
        #expect(try client.send("GET", "/healthz").status == 200)
        #expect(manager.outputSoFar == "listening on http://127.0.0.1:\(port)\n")
    }

    @Test func `what is no listening socket is refused with what to do`() throws {
        let shell = "LISTEN_PID=$$ LISTEN_FDS=$1 exec \"$2\" --data \"$3\" 3</dev/null"
        let none = try ChildProcess.run("sh", ["-c", shell, "sh", "1", server, data])
        #expect(none.status == .exited(1))
        #expect(none.errors.contains("no TCP socket that listens: ListenStream= takes a port or HOST:PORT"))
        let two = try ChildProcess.run("sh", ["-c", shell, "sh", "2", server, data])
        #expect(two.status == .exited(1))
        #expect(two.errors.contains("2 sockets were handed over"))
    }

    private func freePort() throws -> UInt16 {
        let probe = try ChildProcess.run(
            "python3", ["-c", "import socket; s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1])"])
        return try #require(UInt16(probe.output.dropLast()))
    }
}
