// SPDX-License-Identifier: Apache-2.0

/// Who works on what: nobody works on anything that another works on.
protocol WorkLedger: Sendable {
    /// What the spool holds, without a look into the database.
    var spoolBytes: Int { get }
    func spool() throws(StoreError) -> (items: Int, bytes: Int)
    /// Items of the spool that this process holds.
    var held: Int { get }
    /// Entries were put into the spool.
    func added(items: Int, bytes: Int)
    /// The oldest items of the spool that nobody holds, `most` at most, and none further once they exceed `bytes`.
    func take(most: Int, bytes: Int) throws(StoreError) -> [Int64]
    /// The first event of the queue that nobody holds for either queue.
    func takeEvent(of queue: EventQueue) throws(StoreError) -> Int64?
    func release(sequences: [Int64])
    func release(eventRow: Int64)
    /// Whether they are still held, asked inside the transaction that completes them; they are until it ends.
    func held(of sequences: [Int64], _ connection: SQLConnection) throws(StoreError) -> Set<Int64>
    func holds(eventRow: Int64, _ connection: SQLConnection) throws(StoreError) -> Bool
    /// Rows are gone from the spool, each of so many bytes; nil where there was none.
    func settled(_ removed: [Int64: Int?])
    /// False where another has it.
    func take(_ duty: Duty) throws(StoreError) -> Bool
    func release(_ duty: Duty)
    /// Gives up all that is held.
    func close()
}

/// Stored events to work on again.
enum EventQueue: String, Sendable {
    case mending = "mend_queue"
    case sources = "source_queue"
}
