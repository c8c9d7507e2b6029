// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import VakaModel

/// The program of the tests, real servers for it to talk to, and a service that keeps what it is sent.
struct NetworkRun {
    let service: ScriptedServer
    let servers: NetworkServer
    let folder: TemporaryFolder

    init() throws {
        service = try ScriptedServer()
        servers = try NetworkServer()
        folder = try TemporaryFolder()
    }

    func start(_ steps: [String], url: String? = nil, key: String? = nil) throws -> ChildProcess {
        try ChildProcess(
            BuildProducts.executable("network-test-program"),
            [url ?? service.url, folder.path + "/state"] + servers.ports + steps,
            environment: ["SWIFT_BACKTRACE": "enable=no", "NETWORK_TEST_KEY": key])
    }

    /// What it said, a line each.
    @discardableResult
    func run(_ steps: String..., url: String? = nil, key: String? = nil) throws -> [String] {
        let result = try start(steps, url: url, key: key).wait()
        guard result.status == .exited(0) else {
            throw ChildProcess.Failure(description: "\(result.status): \(result.output) \(result.errors)")
        }
        return result.output.split(separator: "\n").map(String.init)
    }

    func payloads<Value: Decodable>(_ kind: ItemKind, _ type: Value.Type = Value.self) throws -> [Value] {
        try service.requests().flatMap(\.items).filter { $0["kind"] == .string(kind.rawValue) }.map { item in
            try ModelCoding.decode(Value.self, from: ModelCoding.encode(item["payload"]))
        }
    }

    /// In the order of their numbers.
    func records() throws -> [NetworkRequestEvent] {
        try payloads(.network, NetworkRequestEvent.self).sorted { ($0.sequenceNumber ?? 0) < ($1.sequenceNumber ?? 0) }
    }
}
