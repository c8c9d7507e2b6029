// SPDX-License-Identifier: Apache-2.0
package import CVakaRecord

/// A run file written byte for byte as docs/crash-record-format.md has it, independent of the capture core.
package struct SampleRunFile {
    package var pid: Int32 = 42
    package var state = VAKA_RUN_RUNNING
    /// Zeros: unknown.
    package var bootID = [UInt8](repeating: 0, count: 16)
    package var askedSignal: Int32 = 0
    package var context = SampleRecord.currentContext
    package var figures: vaka_figures? = Self.sampleFigures
    /// Order and JSON of exchanges, by slot.
    package var exchanges: [(order: UInt64, json: String)] = []

    package init() {}

    package static let started: UInt64 = 1_699_999_990_000_000_000

    /// Two minutes after the start.
    package static var sampleFigures: vaka_figures {
        var figures = vaka_figures()
        figures.magic = VAKA_FIGURES_MAGIC
        figures.generation = 3
        figures.realtime_ns = started + 120_000_000_000
        figures.boottime_ns = 121_000_000_000
        figures.resident_bytes = 5 << 20
        figures.peak_resident_bytes = 6 << 20
        figures.swapped_bytes = VAKA_FIGURE_UNKNOWN
        figures.threads = 3
        figures.group_usage_bytes = 950
        figures.group_limit_bytes = 1000
        figures.group_kills = 1
        return figures
    }

    package mutating func add(_ scope: vaka_context_scope, _ key: String, _ value: String) {
        context.append((UInt16(scope.rawValue), key, value))
    }

    package var bytes: [UInt8] {
        let buffer = Int(VAKA_CONTEXT_BUFFER_BYTES)
        let newest = SampleRecord.context(generation: 9, context)
        let ring = SampleRecord.breadcrumb(129, "newest") + SampleRecord.breadcrumb(2, "oldest")
        return header + Self.zeros(buffer) + newest + Self.zeros(buffer - newest.count)
            + ring + Self.zeros(Int(VAKA_BREADCRUMB_SLOTS * VAKA_BREADCRUMB_SLOT_BYTES) - ring.count)
            + Self.zeros(Int(VAKA_FIGURES_BYTES)) + (figures.map(Self.raw) ?? Self.zeros(Int(VAKA_FIGURES_BYTES)))
            + slots
    }

    private var slots: [UInt8] {
        let used = exchanges.flatMap { Self.exchange($0.order, $0.json) }
        return used + Self.zeros(Int(VAKA_EXCHANGE_SLOTS * VAKA_EXCHANGE_SLOT_BYTES) - used.count)
    }

    /// With two exchanges, of which the second was being written at the end.
    package static var withATornExchange: [UInt8] {
        var file = SampleRunFile()
        for (order, name) in [(UInt64(1), "whole"), (2, "torn")] {
            file.exchanges.append(
                (order, #"{"timestamp":"2023-11-14T22:13:20.000Z","url":"http://h/\#(name)","method":"GET"}"#))
        }
        file.add(VAKA_CONTEXT_RUN, "watched", "15 ")
        var bytes = file.bytes
        let slots = bytes.count - Int(VAKA_EXCHANGE_SLOTS * VAKA_EXCHANGE_SLOT_BYTES)
        bytes[slots + Int(VAKA_EXCHANGE_SLOT_BYTES) + MemoryLayout<vaka_exchange>.size + 4] ^= 1
        return bytes
    }

    /// One slot, whole.
    package static func exchange(_ order: UInt64, _ json: String) -> [UInt8] {
        var head = vaka_exchange()
        head.sequence = order
        head.bytes = UInt32(json.utf8.count)
        head.crc = RecordWriter.crc(RecordWriter.raw(head) + Array(json.utf8))
        let slot = RecordWriter.raw(head) + Array(json.utf8)
        return slot + zeros(Int(VAKA_EXCHANGE_SLOT_BYTES) - slot.count)
    }

    private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

    private static func raw(_ figures: vaka_figures) -> [UInt8] {
        let bytes = RecordWriter.raw(figures).dropLast(4)
        return bytes + RecordWriter.raw(RecordWriter.crc(Array(bytes)))
    }

    private var header: [UInt8] {
        var header = vaka_run_header()
        withUnsafeMutableBytes(of: &header.magic) { $0.copyBytes(from: Array(VAKA_RUN_MAGIC.utf8)) }
        header.version = UInt32(VAKA_RUN_VERSION)
        header.architecture = UInt32(VAKA_ARCH_X86_64)
        withUnsafeMutableBytes(of: &header.run_id) { $0.copyBytes(from: (101...116).map { UInt8($0) }) }
        withUnsafeMutableBytes(of: &header.record_id) { $0.copyBytes(from: (1...16).map { UInt8($0) }) }
        withUnsafeMutableBytes(of: &header.boot_id) { $0.copyBytes(from: bootID) }
        header.pid = pid
        header.context_buffer_bytes = VAKA_CONTEXT_BUFFER_BYTES
        header.breadcrumb_slot_bytes = VAKA_BREADCRUMB_SLOT_BYTES
        header.breadcrumb_slots = VAKA_BREADCRUMB_SLOTS
        header.started_realtime_ns = Self.started
        header.started_boottime_ns = 1_000_000_000
        header.header_crc = RecordWriter.crc(Array(RecordWriter.raw(header).prefix(100)))
        header.state = state.rawValue
        header.asked_signal = askedSignal
        header.asked_realtime_ns = askedSignal == 0 ? 0 : Self.started + 200_000_000_000
        return RecordWriter.raw(header)
    }
}
