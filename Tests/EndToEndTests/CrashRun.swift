// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import TestSupport
import VakaModel

/// A crasher run to its end under the capture core, and what it left.
struct CrashRun {
    let status: ChildProcess.Status
    let errors: String
    /// Paths of the records.
    let records: [String]
    private let storage: TemporaryFolder

    init(_ crasher: Crasher) throws {
        storage = try TemporaryFolder()
        let result = try ChildProcess.run(
            crasher.executable, crasher.arguments,
            environment: [
                "VAKA_STORAGE": storage.path, "LD_PRELOAD": crasher.linked ? nil : BuildProducts.preloadLibrary,
                "SWIFT_BACKTRACE": "enable=no",
            ])
        status = result.status
        errors = result.errors
        let folder = storage.path + "/crashes"
        records = storage.entries("crashes").filter { $0.hasSuffix(".vakacrash") }.map { folder + "/" + $0 }
    }

    /// The only record's event.
    func event() throws -> Event {
        guard records.count == 1 else {
            throw ChildProcess.Failure(description: "\(records.count) records, not one; \(status); \(errors)")
        }
        return try CrashRecordFile(contentsOf: records[0]).event()
    }
}
