// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import CrashRecord

/// A run's context as records hold it.
struct ContextBuffer {
    private static let longest = 4096
    private var entries: [UInt8] = []

    mutating func set(_ scope: vaka_context_scope, _ key: String, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        let text = Array(value.utf8.prefix(Self.longest).filter { $0 != 0 })
        let head = vaka_context_entry(
            scope: UInt16(truncatingIfNeeded: scope.rawValue), key_bytes: UInt16(key.utf8.count),
            value_bytes: UInt32(text.count))
        entries += RecordFileWriter.bytes(head) + Array(key.utf8) + text
        entries += Array(repeating: 0, count: (8 - entries.count % 8) % 8)
    }

    var payload: [UInt8] {
        let head = vaka_context_header(
            magic: VAKA_CONTEXT_MAGIC, generation: 1, used_bytes: UInt32(entries.count),
            entries_crc: RecordFileWriter.checksum(entries[...]), entries_dropped: 0, reserved: 0)
        return RecordFileWriter.bytes(head) + entries
    }
}
