// SPDX-License-Identifier: Apache-2.0
import Glibc

/// How what is accepted comes into a database that is one file.
package enum JournalUse: Sendable {
    /// At once, each group in a transaction. What is lost of what another has left is told on standard error.
    case none
    /// By a journal, of which the store is the only user: it waits for the process that has it. Told of what is lost, for
    /// the log.
    case own(tell: @Sendable (String) -> Void)
}

extension SQLEventStore {
    /// More of it than this is not left to wait for whoever works on it.
    static let mostWaiting = 1 << 30
    /// Sorted in at once.
    private static let pieceBytes = 1 << 20
    /// Items in the database that are enough for those who work.
    private static let enough = 256

    @Sendable static func tellOnStandardError(_ line: String) {
        let line = line + "\n"
        _ = Glibc.write(STDERR_FILENO, line, line.utf8.count)
    }

    static func settled(_ database: SQLiteDatabase) throws(StoreError) -> SpoolJournal.Position {
        try database.read { (connection) throws(StoreError) in
            try connection.first("SELECT segment, position FROM spool_journal") {
                SpoolJournal.Position(segment: UInt64(clamping: $0.integer(0)), offset: $0.int(1))
            }
        } ?? .start
    }

    func append(_ batches: [JournalBatch], to journal: SpoolJournal) throws(StoreError) {
        do throws(StoreError) {
            try journal.append(batches)
        } catch {
            lastFailure.withLock { $0 = error }
            throw error
        }
        for batch in batches { work.added(items: batch.entries.count, bytes: batch.bytes) }
        if journal.waiting.size > Self.mostWaiting { sortInSome(of: journal) }
    }

    /// What was appended is safe whatever comes of this; it is tried again with the next.
    private func sortInSome(of journal: SpoolJournal) {
        do throws(StoreError) {
            try settlePiece(journal)
        } catch {
            // `write` has taken it down.
        }
    }

    /// Sorts in what the journal has at this moment.
    func settle() throws(StoreError) {
        guard let journal else { return }
        var rest = journal.waiting.batches
        while rest > 0, let batches = try settlePiece(journal) { rest -= batches }
    }

    /// The same for who only looks, as far as that is soon done.
    func settleToRead() {
        guard let journal, journal.waiting.size <= 16 * Self.pieceBytes else { return }
        do throws(StoreError) {
            try settle()
        } catch {
            // `write` has taken it down.
        }
    }

    /// Where few items that nobody holds are in the database. False where nothing was sorted in.
    func settleForWork() throws(StoreError) -> Bool {
        guard let journal, journal.waiting.batches > 0 else { return false }
        guard try work.spool().items - journal.waiting.items - work.held < Self.enough else { return false }
        return try settlePiece(journal) != nil
    }

    /// How many batches it had; nil where nothing waits.
    @discardableResult
    private func settlePiece(_ journal: SpoolJournal, isKnown: Bool = true) throws(StoreError) -> Int? {
        let outcome: Result<Int?, StoreError> = journal.settling.withLock { _ in
            do throws(StoreError) {
                guard let piece = try journal.next(bytes: Self.pieceBytes) else {
                    let lost = journal.forgetLost()
                    work.added(items: -lost.items, bytes: -lost.bytes)
                    return .success(nil)
                }
                return .success(try settle(piece, journal, isKnown: isKnown))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private func settle(
        _ piece: SpoolJournal.Piece, _ journal: SpoolJournal, isKnown: Bool
    ) throws(StoreError) -> Int {
        let added = try write(repeatable: true) { (connection) throws(StoreError) in
            try connection.run(
                """
                INSERT INTO spool_journal (id, segment, position) VALUES (1, ?, ?)
                ON CONFLICT (id) DO UPDATE SET segment = excluded.segment, position = excluded.position
                """, [.integer(Int64(piece.position.segment)), .integer(Int64(piece.position.offset))])
            return try spool(piece.batches, connection)
        }
        journal.taken(piece)
        var (items, bytes) = (0, 0)
        for batch in piece.batches {
            items += batch.entries.count
            bytes += batch.bytes
        }
        // Those that had come before are not there twice.
        work.added(items: added.items - (isKnown ? items : 0), bytes: added.bytes - (isKnown ? bytes : 0))
        return piece.batches.count
    }

    /// Sorts in what a process that was killed has left.
    func recover() throws(StoreError) {
        guard let journal else { return }
        while try settlePiece(journal, isKnown: false) != nil {}
    }

    /// Nothing is left in the journal, if it can be helped.
    func settleAtEnd() {
        guard let journal else { return }
        journal.close()
        do throws(StoreError) {
            while try settlePiece(journal) != nil {}
            journal.removeAll()
        } catch {
            // It stays for the next start.
        }
        journal.release()
    }
}
