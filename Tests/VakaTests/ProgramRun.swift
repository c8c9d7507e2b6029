// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import VakaModel

/// A storage folder, and the program that uses it, launch after launch.
struct ProgramRun {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    func start(_ server: ScriptedServer, _ steps: String...) throws -> ChildProcess {
        try start(server, steps)
    }

    func start(
        _ server: ScriptedServer, _ steps: [String], environment: [String: String?] = [:]
    ) throws -> ChildProcess {
        try ChildProcess(
            BuildProducts.executable("sdk-test-program"), [server.url, folder.path + "/state"] + steps,
            environment: environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { first, _ in first })
    }

    /// The batches that wait.
    var waiting: [String] { folder.waitingBatches("state") }

    /// The names in a folder of the storage.
    func names(_ subfolder: String) -> [String] {
        folder.entries("state/" + subfolder)
    }
}

extension ScriptedServer {
    /// What arrived, in its order, what came twice included.
    func events() throws -> [Event] { try payloads("event") }
    func sessions() throws -> [Session] { try payloads("session") }
    func hangEnds() throws -> [HangEnd] { try payloads("hang_end") }

    private func payloads<Value: Decodable>(_ kind: String) throws -> [Value] {
        try requests().flatMap(\.items).filter { $0["kind"] == .string(kind) }.map { item in
            try ModelCoding.decode(Value.self, from: ModelCoding.encode(item["payload"]))
        }
    }
}
