// SPDX-License-Identifier: Apache-2.0
import Synchronization
import VakaModel

/// Where accepted batches wait until they are sorted into the database: appended and synced in large pieces, which costs a
/// fraction of what it takes to find the place of each.
///
/// One thread appends at a time, and one takes what was appended, oldest first. How far the latter came is told by the
/// database, in the transaction that has what was taken: after a crash nothing is lost, and nothing is taken twice.
final class SpoolJournal: Sendable {
    /// The place behind a frame.
    struct Position: Hashable, Sendable {
        var segment: UInt64
        var offset: Int

        static let start = Position(segment: 0, offset: 0)
    }

    /// What was taken, and where it ended.
    struct Piece: Sendable {
        var batches: [JournalBatch]
        var position: Position
    }

    struct Waiting: Equatable, Sendable {
        var batches = 0
        var items = 0
        /// Of what the items hold.
        var bytes = 0
        /// Of the frames.
        var size = 0
        /// None of it came before.
        var oldest: Timestamp?
    }

    private struct State {
        /// In the order of their numbers; the last is appended to.
        var segments: [JournalSegment]
        /// Those that hold nothing more.
        var idle: [JournalSegment]
        /// In the first segment.
        var offset: Int
        var waiting = Waiting()
    }

    private static let smallest = 4 << 20
    private static let largest = 64 << 20
    /// So much is kept for what comes.
    private static let mostIdle = 128 << 20
    /// Written at once.
    private static let largestWrite = 16 << 20

    let settling = Mutex(())
    private let folder: JournalFolder
    private let state: Mutex<State>
    private let writer = Mutex(JournalWriter())
    /// Changed under the writer's lock.
    private let isClosed = Mutex(false)
    private let lastNumber: Mutex<UInt64>
    /// Told of what cannot be read.
    private let tell: @Sendable (String) -> Void

    /// What the folder holds behind `position` waits to be taken.
    init(
        _ folder: JournalFolder, from position: Position, tell: @escaping @Sendable (String) -> Void
    ) throws(StoreError) {
        let found = try folder.segments(tell)
        let waiting = found.filter { $0.number >= max(1, position.segment) }.sorted { $0.number < $1.number }
        let offset = waiting.first?.number == position.segment ? position.offset : JournalFrame.segmentHead
        self.folder = folder
        self.tell = tell
        lastNumber = Mutex(max(position.segment, waiting.last?.number ?? 0))
        state = Mutex(
            State(segments: waiting, idle: found.filter { $0.number < max(1, position.segment) }, offset: offset))
    }

    /// What was appended and not taken.
    var waiting: Waiting { state.withLock { $0.waiting } }

    // MARK: Appending

    /// All of it is on the disk when this returns.
    func append(_ batches: [JournalBatch]) throws(StoreError) {
        let failure: StoreError? = writer.withLock { writer in
            do throws(StoreError) {
                var rest = batches[...]
                while !rest.isEmpty {
                    var bytes = 0
                    let piece = rest.prefix { batch in
                        defer { bytes += batch.bytes }
                        return bytes < Self.largestWrite
                    }
                    try append(piece, &writer)
                    rest = rest.dropFirst(piece.count)
                }
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    private func append(_ batches: ArraySlice<JournalBatch>, _ writer: inout JournalWriter) throws(StoreError) {
        guard !isClosed.withLock({ $0 }) else { throw StoreError(.busy, "the store is being closed") }
        defer { writer.removeAll() }
        var segment = try segment(room: 0)
        for batch in batches { JournalFrame.write(batch, segment: segment.identity, to: &writer) }
        if writer.bytes.count > segment.room {
            segment = try self.segment(room: writer.bytes.count)
            writer.removeAll()
            for batch in batches { JournalFrame.write(batch, segment: segment.identity, to: &writer) }
        }
        do throws(StoreError) {
            try segment.append(writer.bytes)
        } catch {
            state.withLock { _ in segment.giveUp() }
            throw error
        }
        let count = writer.bytes.count
        state.withLock { state in
            segment.moveEnd(by: count)
            if state.waiting.batches == 0 { state.waiting.oldest = batches.first?.receivedAt }
            state.waiting.batches += batches.count
            state.waiting.size += count
            for batch in batches {
                state.waiting.items += batch.entries.count
                state.waiting.bytes += batch.bytes
            }
        }
    }

    /// The last segment, or the next one where that has no room.
    private func segment(room: Int) throws(StoreError) -> JournalSegment {
        let last = state.withLock { $0.segments.last }
        if let last, last.room > 0, last.room >= room { return last }
        let needed = JournalFrame.segmentHead + room
        let known = state.withLock { state in
            Self.retire(&state)
            let index = state.idle.firstIndex { $0.isSound && $0.size >= needed }
            return index.map { state.idle.remove(at: $0) }
        }
        // Where much waits, more will.
        let usual = min(Self.largest, max(Self.smallest, 2 * (last?.size ?? 0)))
        let next = if let known { known } else { try folder.make(bytes: max(usual, needed)) }
        let number = lastNumber.withLock { last in
            last += 1
            return last
        }
        do throws(StoreError) {
            try next.begin(number)
        } catch {
            state.withLock { state in
                next.giveUp()
                state.idle.append(next)
            }
            throw error
        }
        state.withLock { state in
            if state.segments.isEmpty { state.offset = JournalFrame.segmentHead }
            state.segments.append(next)
        }
        return next
    }

    // MARK: Taking

    /// The oldest that wait, some `bytes` of them; nil where there are none. They wait until `taken`. For one thread at a
    /// time: see `settling`.
    func next(bytes: Int) throws(StoreError) -> Piece? {
        while let (segment, offset, end) = first() {
            if let piece = try JournalScan(segment, offset, end, tell).next(bytes: bytes) { return piece }
            if segment.knowsEnd { tell("\(segment.path) is damaged at byte \(offset): \(end - offset) bytes are lost") }
            state.withLock { $0.offset = end }
        }
        return nil
    }

    private func first() -> (JournalSegment, Int, Int)? {
        state.withLock { state in
            Self.retire(&state)
            guard let first = state.segments.first, state.offset < first.end else { return nil }
            return (first, state.offset, first.end)
        }
    }

    /// The database has what was taken.
    func taken(_ piece: Piece) {
        let excess = state.withLock { state in
            state.waiting.size = max(0, state.waiting.size - max(0, piece.position.offset - state.offset))
            state.waiting.batches = max(0, state.waiting.batches - piece.batches.count)
            state.offset = piece.position.offset
            for batch in piece.batches {
                state.waiting.items = max(0, state.waiting.items - batch.entries.count)
                state.waiting.bytes = max(0, state.waiting.bytes - batch.bytes)
            }
            state.waiting.oldest = state.waiting.batches == 0 ? nil : piece.batches.last?.receivedAt
            Self.retire(&state)
            return Self.excess(&state)
        }
        folder.remove(excess)
    }

    /// Segments that were taken to their end hold nothing more; the last stays, for it has room.
    private static func retire(_ state: inout State) {
        while let first = state.segments.first, state.offset >= first.end, state.segments.count > 1 || first.room == 0 {
            state.idle.append(state.segments.removeFirst())
            state.offset = JournalFrame.segmentHead
        }
    }

    /// Those that are not needed, and those that could not be written.
    private static func excess(_ state: inout State) -> [JournalSegment] {
        let bad = state.idle.filter { !$0.isSound }
        state.idle.removeAll { !$0.isSound }
        var kept = 0
        let index = state.idle.firstIndex { segment in
            kept += segment.size
            return kept > mostIdle
        }
        guard let index else { return bad }
        defer { state.idle.removeSubrange(index...) }
        return bad + state.idle[index...]
    }

    /// What was appended and cannot be read, once all else was taken: it is no longer counted.
    func forgetLost() -> Waiting {
        state.withLock { state in
            guard
                state.segments.allSatisfy({ $0.end <= JournalFrame.segmentHead })
                    || (state.segments.count == 1 && state.offset >= state.segments[0].end)
            else { return Waiting() }
            defer { state.waiting = Waiting() }
            return state.waiting
        }
    }

    /// Nothing is appended any more.
    func close() {
        writer.withLock { _ in isClosed.withLock { $0 = true } }
    }

    /// Another process may have the folder from now on.
    func release() { folder.release() }

    /// Removes the files, which hold nothing more.
    func removeAll() {
        state.withLock { state in
            folder.remove(state.segments + state.idle)
            (state.segments, state.idle, state.offset) = ([], [], JournalFrame.segmentHead)
        }
    }
}
