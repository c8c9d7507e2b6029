// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import CoreFile
import CrashRecord
import Glibc
import VakaModel

/// What is known of a crash beside its core.
struct CoreFacts {
    /// 16 bytes.
    let recordID: [UInt8]
    let crashedRealtime: UInt64
    /// 0 where the time is not the present.
    let crashedBoottime: UInt64
    let hostName: String?
    let executable: String?
    /// When the work began.
    let started: ContinuousClock.Instant

    var name: String { recordID.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    init(_ core: CollectedCore, time: UInt64?, hostName: String?, executable: String?, started: ContinuousClock.Instant)
    {
        self.hostName = hostName
        self.executable = core.process?.executable ?? executable
        self.started = started
        recordID = core.run.map { withUnsafeBytes(of: $0.file.header.record_id) { Array($0) } } ?? Self.id(core.notes)
        let now = Self.now(CLOCK_REALTIME)
        // The kernel gives whole seconds: within the present one, the present time is nearer.
        let given = time.map { $0.multipliedReportingOverflow(by: 1_000_000_000) }
        let crashed = given.flatMap { $0.overflow ? nil : $0.partialValue } ?? now
        let isNow = now >= crashed && now - crashed < 2_000_000_000
        crashedRealtime = isNow ? now : crashed
        crashedBoottime = core.process != nil && isNow ? Self.now(CLOCK_BOOTTIME) : 0
    }

    /// The same core always gives the same id: addresses chosen at random are among what it is made of.
    private static func id(_ notes: CoreNotes) -> [UInt8] {
        var bytes = notes.auxiliary + notes.signalInfo
        for thread in notes.threads {
            bytes += RecordFileWriter.bytes(Int64(thread.id))
            for register in thread.registers { bytes += RecordFileWriter.bytes(register) }
        }
        let digits = Array(StableID.of(bytes).utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }

    static func now(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
