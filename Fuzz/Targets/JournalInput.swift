// SPDX-License-Identifier: Apache-2.0
import EventStore

/// A segment of the spool's journal: as it is, and as the body of a frame whose checksum is right.
enum JournalInput {
    private static let segment = JournalFrame.Segment(number: 1, salt: 7)
    private static let other = JournalFrame.Segment(number: 1, salt: 8)

    static func run(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            _ = JournalFrame.segment(bytes)
            var start = 0
            while start < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
                if case .batch(let batch, let size) = JournalFrame.read(rest, segment: segment) {
                    precondition(size <= rest.count, "a frame goes beyond the end")
                    check(batch)
                    start += size
                } else if let next = JournalFrame.search(rest, segment: segment) {
                    precondition(next > 0, "a frame that was none is found")
                    start += next
                } else {
                    break
                }
            }
        }
        guard let batch = bytes.withUnsafeBytes({ JournalBatch($0) }) else { return }
        check(batch)
    }

    /// What was read is written so that the same is read.
    private static func check(_ batch: JournalBatch) {
        var writer = JournalWriter()
        JournalFrame.write(batch, segment: segment, to: &writer)
        writer.bytes.withUnsafeBytes { bytes in
            guard case .batch(let again, let size) = JournalFrame.read(bytes, segment: segment) else {
                fatalError("what was written is not read")
            }
            precondition(size == bytes.count && again == batch, "what was written is read as something else")
            if case .batch = JournalFrame.read(bytes, segment: other) { fatalError("a frame of another segment") }
        }
    }
}
