// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
package import VakaModel

/// What a process and its control group used at one moment. A figure that is not known is nil; sizes are in bytes.
package struct ProcessFigures: Hashable, Sendable {
    package let taken: Timestamp
    /// CLOCK_BOOTTIME then, in nanoseconds.
    package let uptimeClock: UInt64
    package let generation: UInt32
    package let resident: UInt64?
    package let peakResident: UInt64?
    package let swapped: UInt64?
    package let threads: UInt64?
    package let groupUsage: UInt64?
    package let groupLimit: UInt64?
    /// Processes of the control group that were killed for memory, ever.
    package let groupKills: UInt64?

    /// Nil where the bytes do not match their checksum: half of them were written.
    init?(_ bytes: ArraySlice<UInt8>) {
        var reader = ByteReader(bytes)
        guard let figures = reader.next(vaka_figures.self), figures.magic == VAKA_FIGURES_MAGIC,
            let checked = MemoryLayout<vaka_figures>.offset(of: \.crc),
            bytes.prefix(checked).withUnsafeBytes({ vaka_crc32(0, $0.baseAddress, $0.count) }) == figures.crc
        else { return nil }
        taken = Timestamp(nanoseconds: figures.realtime_ns)
        uptimeClock = figures.boottime_ns
        generation = figures.generation
        resident = Self.known(figures.resident_bytes)
        peakResident = Self.known(figures.peak_resident_bytes)
        swapped = Self.known(figures.swapped_bytes)
        threads = Self.known(figures.threads)
        groupUsage = Self.known(figures.group_usage_bytes)
        groupLimit = Self.known(figures.group_limit_bytes)
        groupKills = Self.known(figures.group_kills)
    }

    /// The newer of those that are whole.
    static func newest(_ bytes: ArraySlice<UInt8>) -> ProcessFigures? {
        var reader = ByteReader(bytes)
        let both = (0..<2).compactMap { _ in reader.next(count: Int(VAKA_FIGURES_BYTES)).flatMap(ProcessFigures.init) }
        return both.max { $0.generation < $1.generation }
    }

    private static func known(_ figure: UInt64) -> UInt64? { figure == VAKA_FIGURE_UNKNOWN ? nil : figure }

    /// The document's `contexts.process.memory`. `group` is what the run's context says of its control group.
    func memory(group: [String: String]) -> JSONValue {
        var memory: [String: JSONValue] = [
            "resident_bytes": .figure(resident), "peak_resident_bytes": .figure(peakResident),
            "swapped_bytes": .figure(swapped), "sampled_at": .string(taken.description),
        ]
        if let version = group["version"].flatMap({ Int64($0) }) {
            memory["cgroup"] = [
                "version": .integer(version), "path": group["path"].map { .string($0) } ?? .null,
                "usage_bytes": .figure(groupUsage), "limit_bytes": .figure(groupLimit),
                "oom_kills": .figure(groupKills),
            ]
        }
        return .object(memory)
    }
}

extension JSONValue {
    /// A count or a size; null where it is not known or beyond what JSON readers take.
    static func figure(_ value: UInt64?) -> JSONValue {
        value.flatMap { Int64(exactly: $0) }.map { .integer($0) } ?? .null
    }
}
