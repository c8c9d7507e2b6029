// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// A database with its connections. Used by many threads at once.
protocol SQLDatabase: Sendable {
    var dialect: Dialect { get }
    var now: Timestamp { get }
    func read<Result>(_ body: (SQLConnection) throws(StoreError) -> Result) throws(StoreError) -> Result
    /// Runs `body` as one transaction, alone in what the lock names; again from its beginning where others got in the way.
    ///
    /// - Parameter repeatable: it does no harm to do it twice: so it is where nobody knows whether it was done.
    func write<Result>(
        _ lock: WriteLock, repeatable: Bool, _ body: (SQLConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result
    /// See `SpaceStore`.
    func size() throws(StoreError) -> StoreSize
    func shrink(pages: Int) throws(StoreError) -> Bool
    func giveBackMemory()
    func close()
}

/// What a transaction reads before it writes, so that no other may change it meanwhile. One writer at a time needs none of
/// it.
enum WriteLock: Hashable, Sendable {
    /// Each of its statements is whole in itself.
    case none
    /// Issues and their events, of these projects.
    case issues([Int64])
    /// The same, of every project.
    case allIssues
    /// Which events wait for images.
    case images
    /// That no image comes or goes.
    case imageUses
}
