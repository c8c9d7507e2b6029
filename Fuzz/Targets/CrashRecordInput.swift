// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import CrashRecord
import VakaModel

/// A crash record and a run file. Checksums are put right first in every other input, so that what lies behind them is
/// reached.
enum CrashRecordInput {
    static func run(_ input: [UInt8]) {
        var bytes = input
        if let first = bytes.popLast(), first & 1 == 1 { bytes = withRightChecksums(bytes) }
        if let file = try? CrashRecordFile(bytes: bytes) {
            let event = file.event().keepingReferencedImages()
            guard let document = try? ModelCoding.encode(event) else { preconditionFailure("cannot be written") }
            guard (try? ModelCoding.decode(Event.self, from: document)) != nil else { preconditionFailure("nor read") }
            _ = RecordInspection(file)
        }
        if let run = try? RunFile(bytes: bytes) { tell(run) }
    }

    /// However it ended, the run's file makes a document.
    private static func tell(_ run: RunFile) {
        for cause in [RunEnd.Cause.killed, .outOfMemory, .machineDown, .crashed] {
            let event = EndedRun(run, end: RunEnd(cause, .likely)).event(id: run.recordID, arch: nil)
            guard (try? ModelCoding.encode(event)) != nil else { preconditionFailure("cannot be written") }
        }
    }

    /// The same bytes with the checksums of the header, of each section that can be found, and of its payload.
    private static func withRightChecksums(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        put(crc(bytes, 0, 60), at: 60, in: &bytes)
        var offset = 64
        while offset + 32 <= bytes.count {
            let claimed = bytes[offset + 16..<offset + 18].reversed().reduce(0) { $0 << 8 | Int($1) }
            let length = min(claimed, bytes.count - offset - 32)
            put(VAKA_SECTION_MAGIC, at: offset, in: &bytes)
            put(crc(bytes, offset + 32, length), at: offset + 12, in: &bytes)
            put(UInt32(length), at: offset + 16, in: &bytes)
            put(0, at: offset + 20, in: &bytes)
            put(crc(bytes, offset, 28), at: offset + 28, in: &bytes)
            offset += 32 + (length + 7) / 8 * 8
        }
        return bytes
    }

    private static func crc(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> UInt32 {
        guard offset + count <= bytes.count else { return 0 }
        return bytes[offset..<offset + count].withUnsafeBytes { vaka_crc32(0, $0.baseAddress, $0.count) }
    }

    private static func put(_ value: UInt32, at offset: Int, in bytes: inout [UInt8]) {
        guard offset + 4 <= bytes.count else { return }
        withUnsafeBytes(of: value.littleEndian) { bytes.replaceSubrange(offset..<offset + 4, with: $0) }
    }
}
