// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import FoundationEssentials
import TestSupport
import VakaModel

/// What `vaka collect` made of a core that came down a pipe.
struct Collected {
    let status: ChildProcess.Status
    let errors: String
    /// Paths of the records in the storage folder.
    let records: [String]

    /// `producer` is what a shell runs to write the core, and may use $CORE.
    init(_ storage: String, core: String, producer: String = "cat \"$CORE\"", _ options: [String] = []) throws {
        let result = try ChildProcess.run(
            "/bin/sh",
            ["-c", "\(producer) | exec \"$0\" collect --storage \"$@\"", BuildProducts.executable("vaka"), storage]
                + options, environment: ["CORE": core], seconds: 120)
        status = result.status
        errors = result.errors
        let folder = storage + "/crashes"
        records = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
            .filter { $0.hasSuffix(".vakacrash") }.map { folder + "/" + $0 }
    }

    /// The only record's event.
    func event() throws -> Event {
        guard status == .exited(0), records.count == 1 else {
            throw ChildProcess.Failure(description: "\(status), \(records.count) records; \(errors)")
        }
        return try CrashRecordFile(contentsOf: records[0]).event()
    }

    /// The same with names, as `vaka symbolicate` tells them.
    func symbolicated() throws -> Event {
        let result = try ChildProcess.run(
            BuildProducts.executable("vaka"), ["symbolicate", "--format", "json"] + records)
        return try ModelCoding.decode(Event.self, from: result.outputData)
    }
}
