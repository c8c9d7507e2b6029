// SPDX-License-Identifier: Apache-2.0
import CrashRecord

/// A core made into a record within this very process and by nothing but the core, to see what either does to the code.
package enum CoreRecord {
    /// - Parameters:
    ///   - spool: an empty file; it is taken over.
    ///   - record: an empty file.
    package static func make(core: Int32, spool: Int32, record: Int32) throws {
        let limits = CollectLimits()
        var reading = try CoreReading(
            descriptor: core, spool: spool, processID: nil, limits: limits, opensFiles: false)
        guard case .core(let collected) = try reading.read() else { return }
        let facts = CoreFacts(collected, time: 0, hostName: nil, executable: nil, started: .now)
        var composer = RecordComposer(collected, facts, names: [:], limits: limits, usesFiles: true)
        var writer = try RecordFileWriter(descriptor: record, header: composer.header)
        try composer.write(to: &writer)
    }
}
