// SPDX-License-Identifier: Apache-2.0

/// The room that rows take on the disk, and what can be given up for it. Each step is one transaction.
package protocol SpaceStore: Sendable {
    func size() throws(StoreError) -> StoreSize
    /// Gives at most so many unused pages back to the file system. False when none was left to give.
    func shrink(pages: Int) throws(StoreError) -> Bool
    /// Drops the reports that came first, with their captured memory: such events are not symbolicated again. The number of
    /// those that are gone.
    func giveUpReports(limit: Int) throws(StoreError) -> Int
    /// Drops the data of the attachments that came first; that there were such is still told.
    func giveUpAttachments(limit: Int) throws(StoreError) -> Int
}

/// Bytes of the database, its journal left out.
package struct StoreSize: Hashable, Sendable {
    package var all: UInt64
    /// Of those: unused, for rows to come.
    package var unused: UInt64
}
