// SPDX-License-Identifier: Apache-2.0

/// The room that rows take on the disk, and what can be given up for it. Each step is one transaction.
package protocol SpaceStore: Sendable {
    /// Why writing failed when it was last tried; nil when it went well.
    var writeFailure: StoreError? { get }
    /// How long transactions that write waited for others, since the store was opened.
    var writeWaits: WriteWaits { get }
    /// Writes something of no meaning, to find out whether that can be done again.
    func tryWriting() throws(StoreError)
    /// Gives memory that nothing needs any more back to the system; takes some milliseconds.
    func giveBackMemory()
    /// Whether the rows lie in the data folder, so that what they take can be given up for its sake.
    var isInFolder: Bool { get }
    func size() throws(StoreError) -> StoreSize
    /// Gives at most so many unused pages back to the file system. False when none was left to give.
    func shrink(pages: Int) throws(StoreError) -> Bool
    /// Drops the reports that came first, with their captured memory: such events are not symbolicated again. At most
    /// `limit`, and no more than bring `bytes`; the number of those that are gone.
    func giveUpReports(limit: Int, bytes: UInt64) throws(StoreError) -> Int
    /// Drops the recordings that came first, likewise.
    func giveUpRecordings(limit: Int, bytes: UInt64) throws(StoreError) -> Int
    /// Drops the data of the attachments that came first, likewise; that there were such is still told.
    func giveUpAttachments(limit: Int, bytes: UInt64) throws(StoreError) -> Int
}

/// Bytes of the database, its journal left out.
package struct StoreSize: Hashable, Sendable {
    package var all: UInt64
    /// Of those: unused, for rows to come.
    package var unused: UInt64

    package init(all: UInt64, unused: UInt64) {
        self.all = all
        self.unused = unused
    }
}

/// Waits of transactions before they began.
package struct WriteWaits: Hashable, Sendable {
    package var transactions = 0
    /// In seconds, of all of them together.
    package var seconds = 0.0
    /// In seconds, of the one that waited most.
    package var longest = 0.0

    package init() {}

    mutating func add(_ wait: Duration) {
        let length = wait / .seconds(1)
        transactions += 1
        seconds += length
        longest = max(longest, length)
    }
}
