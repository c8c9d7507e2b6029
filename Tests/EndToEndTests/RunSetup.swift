// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import VakaModel

/// `vaka run` with a storage folder of its own.
struct RunSetup {
    static let command = BuildProducts.executable("vaka")
    static let environment: [String: String?] = [
        "VAKA_URL": nil, "VAKA_KEY": nil, "VAKA_STORAGE": nil, "SWIFT_BACKTRACE": "enable=no",
    ]

    let storage: TemporaryFolder

    init() throws { storage = try TemporaryFolder() }

    /// The command's words around the program's.
    func words(_ program: [String], _ options: [String] = []) -> [String] {
        ["run", "--storage", storage.path, "--library", BuildProducts.preloadLibrary] + options + ["--"] + program
    }

    func run(_ program: [String], _ options: [String] = []) throws -> ChildProcess.Result {
        try ChildProcess.run(Self.command, words(program, options), environment: Self.environment)
    }

    func shell(_ script: String, _ options: [String] = []) throws -> ChildProcess.Result {
        try run(["/bin/sh", "-c", script], options)
    }

    /// The event documents that wait in the storage folder.
    var documents: [String] {
        storage.entries("crashes").filter { $0.hasSuffix(".json") }.map { storage.path + "/crashes/" + $0 }
    }

    func kept() throws -> [Event] {
        try documents.map { try ModelCoding.decode(Event.self, from: Data(contentsOf: URL(filePath: $0))) }
    }

    /// The events in the batches that wait there.
    func queued() throws -> [Event] {
        try storage.waitingBatches().filter { $0.hasSuffix(".json") }.flatMap { name -> [Event] in
            let data = try Data(contentsOf: URL(filePath: storage.path + "/" + name))
            return try ModelCoding.decode(Batch.self, from: data).items.filter { $0.kind == .event }.map {
                try ModelCoding.decode(Event.self, from: ModelCoding.encode($0.payload))
            }
        }
    }
}
