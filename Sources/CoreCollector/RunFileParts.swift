// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import CoreFile

/// A run file cut into the sections of a record.
struct RunFileParts {
    private static let figuresBytes = Int(VAKA_FIGURES_BYTES)
    private static let figuresOffset =
        Int(VAKA_RUN_HEADER_BYTES) + 2 * Int(VAKA_CONTEXT_BUFFER_BYTES)
        + Int(VAKA_BREADCRUMB_SLOTS * VAKA_BREADCRUMB_SLOT_BYTES)

    let header: [UInt8]
    let contexts: [[UInt8]]
    /// The slots that are in use, whole.
    let breadcrumbs: [UInt8]
    /// What the process used at its last sampling; nil where that is not known.
    let figures: [UInt8]?
    /// The exchange slots that are in use, whole.
    let exchanges: [UInt8]

    init(_ run: InstrumentedRun) {
        let bytes = run.bytes
        let headerBytes = Int(VAKA_RUN_HEADER_BYTES)
        let bufferBytes = Int(VAKA_CONTEXT_BUFFER_BYTES)
        let slotBytes = Int(VAKA_BREADCRUMB_SLOT_BYTES)
        header = Array(bytes.prefix(headerBytes))
        contexts = (0..<2).map { Array(bytes.dropFirst(headerBytes + $0 * bufferBytes).prefix(bufferBytes)) }
        let ring = bytes.dropFirst(headerBytes + 2 * bufferBytes).prefix(Int(VAKA_BREADCRUMB_SLOTS) * slotBytes)
        breadcrumbs = (0..<ring.count / slotBytes).flatMap { index -> [UInt8] in
            let slot = ring.dropFirst(index * slotBytes).prefix(slotBytes)
            return slot.prefix(8).allSatisfy { $0 == 0 } ? [] : Array(slot)
        }
        exchanges = Self.exchanges(bytes)
        // Of the two the one that the reader of run files found to be the newer.
        figures = run.file.figures.flatMap { newest in
            (0..<2).lazy
                .map { Array(bytes.dropFirst(Self.figuresOffset + $0 * Self.figuresBytes).prefix(Self.figuresBytes)) }
                .first { $0.value(vaka_figures.self, at: 0)?.generation == newest.generation }
        }
    }

    private static func exchanges(_ bytes: [UInt8]) -> [UInt8] {
        let slotBytes = Int(VAKA_EXCHANGE_SLOT_BYTES)
        let slots = bytes.dropFirst(figuresOffset + 2 * figuresBytes).prefix(Int(VAKA_EXCHANGE_SLOTS) * slotBytes)
        return (0..<slots.count / slotBytes).flatMap { index -> [UInt8] in
            let slot = slots.dropFirst(index * slotBytes).prefix(slotBytes)
            return slot.prefix(MemoryLayout<vaka_exchange>.size).allSatisfy { $0 == 0 } ? [] : Array(slot)
        }
    }
}
