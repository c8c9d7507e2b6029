// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import Synchronization

/// A real S3-compatible store on loopback (Tests/Support/s3_server.py) that checks signatures, can be stopped and started
/// again on the same port with what it holds, and misbehaves on demand. Ends with the value.
package final class S3Server: Sendable {
    package static let bucket = "vaka-test"

    package let folder: TemporaryFolder
    package let port: Int
    package let keyID: String
    package let secret: String
    private let process: Mutex<ChildProcess?>

    package init() throws {
        folder = try TemporaryFolder()
        let first = try Self.launch(folder, port: nil)
        process = Mutex(first.process)
        port = first.port
        let key = try String(contentsOf: URL(filePath: folder.path + "/key"), encoding: .utf8).split(separator: "\n")
        (keyID, secret) = (String(key[0]), String(key[1]))
    }

    deinit { process.withLock { $0?.kill(SIGKILL) } }

    package var endpoint: String { "http://127.0.0.1:\(port)" }
    package var environment: [String: String?] {
        ["AWS_ACCESS_KEY_ID": keyID, "AWS_SECRET_ACCESS_KEY": secret, "AWS_SESSION_TOKEN": nil]
    }

    /// Nobody listens on its port any more.
    package func stop() throws {
        try process.withLock { process in
            process?.kill(SIGTERM)
            _ = try process?.wait(seconds: 30)
            process = nil
        }
    }

    package func start() throws {
        try process.withLock { $0 = try Self.launch(folder, port: port).process }
    }

    /// From now on it answers with an error, to one method or all.
    package func fail(_ status: Int, _ code: String, only method: String? = nil) throws {
        var said = "{\"status\":\(status),\"code\":\"\(code)\""
        if let method { said += ",\"only\":\"\(method)\"" }
        try set(said + "}")
    }

    /// From now on it answers so many seconds later.
    package func delay(_ seconds: Double, only method: String) throws {
        try set("{\"delay\":\(seconds),\"only\":\"\(method)\"}")
    }

    package func behave() {
        unlink(folder.path + "/mode.json")
    }

    /// `METHOD PATH?QUERY`, in their order.
    package func requests() throws -> [String] {
        let text = try String(contentsOf: URL(filePath: folder.path + "/requests"), encoding: .utf8)
        return text.split(separator: "\n").map(String.init)
    }

    private func set(_ mode: String) throws {
        try Data(mode.utf8).write(to: URL(filePath: folder.path + "/mode.json"), options: .atomic)
    }

    private static func launch(_ folder: TemporaryFolder, port: Int?) throws -> (process: ChildProcess, port: Int) {
        let python = BuildProducts.root + "/build/venv/bin/python3"
        guard access(python, X_OK) == 0 else {
            throw ChildProcess.Failure(description: "\(python) is not there: make build/venv/ready")
        }
        let script = BuildProducts.root + "/Tests/Support/s3_server.py"
        let process = try ChildProcess(python, [script, folder.path] + (port.map { ["\($0)"] } ?? []))
        try process.waitForOutput("listening on ")
        let digits = process.outputSoFar.split(separator: "listening on ").last?.prefix { $0.isNumber } ?? ""
        guard let port = Int(digits) else { throw ChildProcess.Failure(description: process.outputSoFar) }
        return (process, port)
    }
}
