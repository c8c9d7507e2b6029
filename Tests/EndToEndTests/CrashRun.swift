// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import Synchronization
import TestSupport
import VakaModel

/// A crasher run to its end under the capture core, and what it left.
struct CrashRun: Sendable {
    let status: ChildProcess.Status
    let errors: String
    /// Paths of the records.
    let records: [String]
    private let storage: TemporaryFolder

    private static let finished = Mutex<[String: CrashRun]>([:])

    /// A run that tests share, as none of them changes what it left.
    static func shared(_ crasher: Crasher) throws -> CrashRun {
        if let run = finished.withLock({ $0[crasher.name] }) { return run }
        let run = try CrashRun(crasher)
        // Of two tests that ran it at once both get the first one's, whose files stay.
        return finished.withLock { runs in
            let kept = runs[crasher.name] ?? run
            runs[crasher.name] = kept
            return kept
        }
    }

    init(_ crasher: Crasher, with variables: [String] = []) throws {
        storage = try TemporaryFolder()
        let ours =
            variables
            + [
                "VAKA_STORAGE=" + storage.path, crasher.linked ? nil : "LD_PRELOAD=" + BuildProducts.preloadLibrary,
            ].compactMap { $0 }
        let result = try Self.finish(crasher, with: ours)
        status = result.status
        errors = result.errors
        let folder = storage.path + "/crashes"
        records = storage.entries("crashes").filter { $0.hasSuffix(".vakacrash") }.map { folder + "/" + $0 }
    }

    /// Runs the program with more variables; what runs it has none of them.
    static func finish(_ crasher: Crasher, with variables: [String] = []) throws -> ChildProcess.Result {
        let own = crasher.environment.map { "\($0.key)=\($0.value)" }
        let command = crasher.wrapper + ["/usr/bin/env"] + own + variables + [crasher.executable] + crasher.arguments
        // Wrappers are named from the top of the project.
        return try ChildProcess.run(
            command[0], Array(command.dropFirst()), environment: ["SWIFT_BACKTRACE": "enable=no"],
            directory: crasher.wrapper.isEmpty ? nil : BuildProducts.root)
    }

    /// The only record's event.
    func event() throws -> Event {
        guard records.count == 1 else {
            throw ChildProcess.Failure(description: "\(records.count) records, not one; \(status); \(errors)")
        }
        return try CrashRecordFile(contentsOf: records[0]).event()
    }
}
