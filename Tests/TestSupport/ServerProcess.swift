// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import Glibc

/// A real `vaka-server` on a free loopback port with a data folder of its own.
package final class ServerProcess: Sendable {
    /// What the first start wrote.
    package struct Credentials: Codable, Equatable, Sendable {
        package var url: String
        package var project: String
        package var ingestKey: String
        package var adminToken: String

        enum CodingKeys: String, CodingKey {
            case url, project
            case ingestKey = "ingest_key"
            case adminToken = "admin_token"
        }
    }

    package let process: ChildProcess
    package let folder: TemporaryFolder
    package let credentials: Credentials
    package let client: HTTPClient

    /// With `folder`, a server on the data of an earlier one; with `credentials`, one of several on a database.
    package init(
        _ arguments: [String] = [], folder: TemporaryFolder? = nil, credentials shared: Credentials? = nil,
        in surroundings: ServerSurroundings = .usual, environment: [String: String?] = [:]
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        let data = folder.path + "/data"
        let command = surroundings.command(
            [BuildProducts.executable("vaka-server"), "--data", data, "--listen", "127.0.0.1:0", "--no-system"]
                + arguments,
            data: data)
        process = try ChildProcess(
            command[0], Array(command.dropFirst()),
            environment: environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 })
        try process.waitForOutput("listening on http")
        if let shared {
            credentials = shared
            let line = process.outputSoFar.split(separator: "\n").first { $0.contains("listening on http") }
            client = try HTTPClient(url: String(line?.split(separator: " ").last ?? ""))
            return
        }
        let file = surroundings.root(of: process) + data + "/credentials.json"
        credentials = try JSONDecoder().decode(Credentials.self, from: Data(contentsOf: URL(filePath: file)))
        client = try HTTPClient(url: credentials.url)
    }

    deinit {
        process.kill(SIGKILL)
        _ = try? process.wait(seconds: 10)
    }

    package var keyHeader: [String: String] { ["Authorization": "Bearer \(credentials.ingestKey)"] }
    package var tokenHeader: [String: String] { ["Authorization": "Bearer \(credentials.adminToken)"] }

    /// GET of an address under the project, with the token.
    package func get(_ path: String) throws -> HTTPClient.Response {
        try client.send("GET", "/api/v1/projects/\(credentials.project)/\(path)", headers: tokenHeader)
    }

    /// Sends a batch's body as JSON with the ingest key.
    package func ingest(_ body: String, headers: [String: String] = [:]) throws -> HTTPClient.Response {
        let all = keyHeader.merging(["Content-Type": "application/json"]) { first, _ in first }
        return try client.send(
            "POST", "/api/v1/ingest", headers: all.merging(headers) { _, new in new }, body: Data(body.utf8))
    }

    /// Uploads a file's bytes as a debug image.
    package func upload(_ data: Data, name: String = "image") throws -> HTTPClient.Response {
        try client.send(
            "POST", "/api/v1/projects/\(credentials.project)/artifacts?kind=native&name=\(name)", headers: tokenHeader,
            body: data)
    }

    /// Asks until `answer` has a value, at most for `seconds`.
    @discardableResult
    package func eventually<Value>(seconds: Double = 30, _ answer: () throws -> Value?) throws -> Value {
        try TestSupport.eventually(seconds: seconds, saying: { "; the server said: \(process.errorsSoFar)" }, answer)
    }
}
