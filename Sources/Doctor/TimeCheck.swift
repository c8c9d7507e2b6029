// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import VakaModel

/// What a crash costs in time and in disk.
struct TimeCheck {
    private static let slow: UInt64 = 1_000_000_000
    /// What a record's file is allocated with where nothing forbids (docs/signal-safety.md).
    static let recordBytes: UInt64 = 832 << 10
    /// The run file beside the record's (docs/crash-record-format.md).
    private static let runFileBytes: UInt64 = 196_864

    /// Crashes under the library.
    let trials: [Trial]
    /// The same crash without it.
    let without: Trial?

    func findings() -> [Finding] {
        guard let record = trials.lazy.compactMap(\.record).first else { return [] }
        var findings = [disk(record.header.map(\.allocated_bytes) ?? 0)]
        let times = trials.compactMap(\.run.crashTime).sorted()
        if !times.isEmpty { findings.append(time(times[times.count / 2])) }
        return findings
    }

    private func time(_ median: UInt64) -> Finding {
        let handler = trials.compactMap(Self.handlerTime).sorted()
        var measured: [String: JSONValue] = ["median_ms": .number(Self.milliseconds(median))]
        if let middle = handler.dropFirst(handler.count / 2).first {
            measured["handler_ms"] = .number(Self.milliseconds(middle))
        }
        let plain = without?.run.crashTime
        if let plain { measured["without_ms"] = .number(Self.milliseconds(plain)) }
        let comparison = plain.map { " (\(Self.milliseconds($0)) ms without Vaka)" } ?? ""
        let says = "a crash takes \(Self.milliseconds(median)) ms until the process is gone\(comparison)"
        guard median >= Self.slow else { return Finding(.time, .ok, says, measured: measured) }
        return Finding(
            .time, .degraded, says, costs: "the program is started again that much later",
            mend: "is the disk slow? Put the storage folder on a faster one: a record is made durable before the end",
            measured: measured)
    }

    private func disk(_ allocated: UInt64) -> Finding {
        let sizes = trials.compactMap { $0.value(VAKA_SECTION_END, vaka_end.self)?.record_bytes }
        let size = sizes.max() ?? 0
        let reserved = allocated + Self.runFileBytes
        return Finding(
            .record, .ok,
            "a record of 3 threads has \(StorageCheck.readable(size)); a running program reserves "
                + StorageCheck.readable(reserved),
            measured: [
                "bytes": .integer(Int64(clamping: size)), "reserved_bytes": .integer(Int64(clamping: reserved)),
            ])
    }

    private static func handlerTime(_ trial: Trial) -> UInt64? {
        trial.value(VAKA_SECTION_END, vaka_end.self)?.handler_ns
    }

    /// With one decimal.
    static func milliseconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds / 100_000) / 10 }
}
