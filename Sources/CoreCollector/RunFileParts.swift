// SPDX-License-Identifier: Apache-2.0
import CVakaRecord

/// A run file cut into the sections of a record.
struct RunFileParts {
    let header: [UInt8]
    let contexts: [[UInt8]]
    /// The slots that are in use, whole.
    let breadcrumbs: [UInt8]

    init(_ bytes: [UInt8]) {
        let headerBytes = Int(VAKA_RUN_HEADER_BYTES)
        let bufferBytes = Int(VAKA_CONTEXT_BUFFER_BYTES)
        let slotBytes = Int(VAKA_BREADCRUMB_SLOT_BYTES)
        header = Array(bytes.prefix(headerBytes))
        contexts = (0..<2).map { Array(bytes.dropFirst(headerBytes + $0 * bufferBytes).prefix(bufferBytes)) }
        let ring = bytes.dropFirst(headerBytes + 2 * bufferBytes)
        breadcrumbs = (0..<ring.count / slotBytes).flatMap { index -> [UInt8] in
            let slot = ring.dropFirst(index * slotBytes).prefix(slotBytes)
            return slot.prefix(8).allSatisfy { $0 == 0 } ? [] : Array(slot)
        }
    }
}
