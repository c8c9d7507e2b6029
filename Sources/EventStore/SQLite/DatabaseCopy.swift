// SPDX-License-Identifier: Apache-2.0
import CSQLite

/// A copy of a database as it is at one moment, and of what was accepted before, made while servers go on writing to it.
package enum DatabaseCopy {
    private static let pagesAtOnce: Int32 = 1024

    /// Copies page by page into a new file, which is synced when this returns.
    ///
    /// The source is read in one transaction: what is written to it meanwhile is not in the copy, and makes its journal
    /// grow until the copy is done.
    ///
    /// - Parameter progress: pages that are done, and all.
    package static func make(
        of source: String, at target: String, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(StoreError) {
        // First: what leaves the journal meanwhile is in the database by then.
        let isWaiting = try JournalFolder.copy(of: source, to: target)
        try copy(source, target, progress)
        // Sorts in what waits.
        if isWaiting {
            try SQLEventStore(path: target).close()
            let copy = try SQLiteDriver(path: target, readOnly: false)
            defer { copy.close() }
            try makeOneFile(copy)
        }
        JournalFolder.remove(of: target)
    }

    private static func copy(
        _ source: String, _ target: String, _ progress: (_ done: Int, _ total: Int) -> Void
    ) throws(StoreError) {
        let from = try SQLiteDriver(path: source, readOnly: true)
        defer { from.close() }
        let to = try SQLiteDriver(path: target, readOnly: false)
        defer { to.close() }
        try from.execute("BEGIN")
        // A transaction takes its view of the database with what it first reads.
        _ = try from.run("SELECT count(*) FROM sqlite_schema", []) { _ in }
        try from.copy(into: to, pagesAtOnce: pagesAtOnce, progress: progress)
        try makeOneFile(to)
    }

    /// So it can be read where nothing can be written.
    private static func makeOneFile(_ database: SQLiteDriver) throws(StoreError) {
        try database.execute("PRAGMA journal_mode = DELETE")
    }
}
