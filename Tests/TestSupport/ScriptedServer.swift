// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import Synchronization
package import VakaModel

/// A real HTTP server on loopback that answers as the test says and keeps what it was sent
/// (Tests/Support/scripted_server.py). Ends with the value.
package final class ScriptedServer: Sendable {
    /// One request as it arrived.
    package struct Request: Decodable, Sendable {
        package var method: String
        package var path: String
        package var headers: [String: String]
        package var encoding: String?
        package var bytes: Int
        package var sha256: String
        /// The unpacked document.
        package var body: JSONValue
        /// What it was answered, unless another server did.
        package var status: Int

        /// The items of a batch.
        package var items: [JSONValue] {
            if case .array(let items) = body["items"] { items } else { [] }
        }
    }

    /// One answer; see the script.
    package struct Answer: Encodable, Sendable {
        package var status: Int?
        package var headers: [String: String]?
        package var body: JSONValue?
        package var delay: Double?
        package var cut: Bool?
        package var itemsLimit: Int?
        package var bytesLimit: Int?
        package var file: String?
        package var declared: Int?
        package var endless: Bool?
        package var forward: String?

        package init(
            status: Int? = nil, headers: [String: String]? = nil, body: JSONValue? = nil, delay: Double? = nil,
            cut: Bool? = nil, itemsLimit: Int? = nil, bytesLimit: Int? = nil, file: String? = nil, declared: Int? = nil,
            endless: Bool? = nil, forward: String? = nil
        ) {
            self.status = status
            self.headers = headers
            self.body = body
            self.delay = delay
            self.cut = cut
            self.itemsLimit = itemsLimit
            self.bytesLimit = bytesLimit
            self.file = file
            self.declared = declared
            self.endless = endless
            self.forward = forward
        }

        private enum CodingKeys: String, CodingKey {
            case status, headers, body, delay, cut, file, declared, endless, forward
            case itemsLimit = "items_limit"
            case bytesLimit = "bytes_limit"
        }
    }

    package let port: Int
    package var url: String { "\(scheme)://127.0.0.1:\(port)" }

    private let scheme: String
    private let folder: TemporaryFolder
    private let process: ChildProcess
    private let answers = Mutex(0)

    /// `port` 0 picks a free one. With `certificate`, a PEM file of a certificate and its key, it speaks TLS.
    package init(
        port: Int = 0, answers: [Answer] = [], default standard: Answer? = nil, certificate: String? = nil
    ) throws {
        folder = try TemporaryFolder()
        scheme = certificate == nil ? "http" : "https"
        try FileManager.default.createDirectory(
            atPath: folder.path + "/answers", withIntermediateDirectories: true)
        process = try ChildProcess(
            "/usr/bin/env",
            ["python3", BuildProducts.root + "/Tests/Support/scripted_server.py", folder.path, String(port)]
                + (certificate.map { [$0] } ?? []))
        try process.waitForOutput("listening on ")
        try process.waitForOutput("\n")
        self.port = Int(process.outputSoFar.split(whereSeparator: \.isWhitespace).last ?? "") ?? 0
        if let standard { try setDefault(standard) }
        for answer in answers { try add(answer) }
    }

    deinit {
        stop()
    }

    /// Nothing listens on the port any more.
    package func stop() {
        process.kill(SIGKILL)
        _ = try? process.wait()
    }

    /// The answer to the request after those that have one already.
    package func add(_ answer: Answer) throws {
        let number = answers.withLock { count in
            count += 1
            return count
        }
        try write(answer, folder.path + "/answers/\(100_000 + number).json")
    }

    /// The answer to every request that has none of its own.
    package func setDefault(_ answer: Answer) throws {
        try write(answer, folder.path + "/default.json")
    }

    /// What the next requests for settings get; a text stands for a body that is no JSON.
    package func setSettings(_ document: JSONValue) throws {
        try write(document, folder.path + "/settings.json")
    }

    /// One request of which the server reads a part and then waits.
    package struct Upload: Decodable, Sendable {
        /// Bytes of the body that were told, and that came.
        package var declared: Int
        package var received: Int
        /// No more of it comes.
        package var ended: Bool
    }

    /// From now on so many bytes of each body are read, and then no more until it is nil again.
    package func setSlow(_ bytes: Int?) throws {
        if let bytes { return try write(bytes, folder.path + "/slow.json") }
        unlink(folder.path + "/slow.json")
    }

    /// Requests that came while it was slow.
    package func uploads() throws -> [Upload] {
        try folder.entries("uploads").filter { $0.hasSuffix(".json") }.map { name in
            try ModelCoding.decode(
                Upload.self, from: Data(contentsOf: URL(filePath: folder.path + "/uploads/" + name)))
        }
    }

    private func write(_ answer: some Encodable, _ path: String) throws {
        try ModelCoding.encode(answer).write(to: URL(filePath: path + ".new"))
        guard rename(path + ".new", path) == 0 else {
            throw ChildProcess.Failure(description: "cannot write \(path)")
        }
    }

    /// All so far, in the order of their arrival.
    package func requests() throws -> [Request] { try requests(in: "requests") }

    /// Those for settings.
    package func settingsRequests() throws -> [Request] { try requests(in: "asked") }

    private func requests(in subfolder: String) throws -> [Request] {
        try folder.entries(subfolder).filter { $0.hasSuffix(".json") }.map { name in
            let data = try Data(contentsOf: URL(filePath: folder.path + "/\(subfolder)/" + name))
            return try ModelCoding.decode(Request.self, from: data)
        }
    }

    /// Waits until at least `count` requests have come.
    @discardableResult
    package func waitForRequests(_ count: Int, seconds: Double = 30) throws -> [Request] {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while folder.entries("requests").filter({ $0.hasSuffix(".json") }).count < count {
            guard ContinuousClock.now < deadline else {
                let got = try requests().count
                throw ChildProcess.Failure(description: "\(got) requests after \(seconds) s instead of \(count)")
            }
            usleep(5000)
        }
        return try requests()
    }
}
