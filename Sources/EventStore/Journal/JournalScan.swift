// SPDX-License-Identifier: Apache-2.0

/// Reads a segment's frames.
struct JournalScan {
    private let segment: JournalSegment
    private let offset: Int
    private let end: Int
    private let tell: @Sendable (String) -> Void

    init(_ segment: JournalSegment, _ offset: Int, _ end: Int, _ tell: @escaping @Sendable (String) -> Void) {
        self.segment = segment
        self.offset = offset
        self.end = end
        self.tell = tell
    }

    /// The frames that follow, some `bytes` of them. Nil where there are no more.
    func next(bytes: Int) throws(StoreError) -> SpoolJournal.Piece? {
        var read = try segment.read(offset, min(bytes, end - offset))
        var batches: [JournalBatch] = []
        var done = 0
        while true {
            let found = read.withUnsafeBytes {
                JournalFrame.read(UnsafeRawBufferPointer(rebasing: $0[done...]), segment: segment.identity)
            }
            switch found {
            case .batch(let batch, let size):
                batches.append(batch)
                done += size
                continue
            case .needs(let size) where batches.isEmpty && offset + done + size <= end && read.count < done + size:
                read = try segment.read(offset, done + size)
                if read.count == done + size { continue }
            case .needs where !batches.isEmpty: break
            case .needs, .none:
                guard batches.isEmpty, let next = try sound(after: offset + done) else { break }
                tell("\(segment.path) is damaged at byte \(offset + done): \(next - offset - done) bytes are lost")
                return try JournalScan(segment, next, end, tell).next(bytes: bytes)
            }
            break
        }
        guard !batches.isEmpty else { return nil }
        return SpoolJournal.Piece(
            batches: batches, position: .init(segment: segment.number, offset: offset + done))
    }

    /// Where the next sound frame behind what cannot be read begins. Nil where there is none: what cannot be read was not
    /// written to its end, and not acknowledged.
    private func sound(after offset: Int) throws(StoreError) -> Int? {
        let bytes = try segment.read(offset, end - offset)
        return bytes.withUnsafeBytes { JournalFrame.search($0, segment: segment.identity) }.map { offset + $0 }
    }
}
