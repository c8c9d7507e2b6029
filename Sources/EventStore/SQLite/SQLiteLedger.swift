// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What the threads of the one process hold is in its memory: a restart begins with nothing held.
final class SQLiteLedger: WorkLedger {
    private struct State {
        var sequences: Set<Int64> = []
        var eventRows: Set<Int64> = []
        var items: Int
        var bytes: Int
    }

    private let database: SQLiteDatabase
    private let state: Mutex<State>

    init(_ database: SQLiteDatabase) throws(StoreError) {
        self.database = database
        let waiting = try database.read { (connection) throws(StoreError) in
            try connection.first("SELECT count(*), coalesce(sum(length(payload)), 0) FROM spool") { row in
                (row.int(0), row.int(1))
            }
        }
        state = Mutex(State(items: waiting?.0 ?? 0, bytes: waiting?.1 ?? 0))
    }

    var spoolBytes: Int { state.withLock { $0.bytes } }

    var held: Int { state.withLock { $0.sequences.count } }

    func spool() -> (items: Int, bytes: Int) { state.withLock { ($0.items, $0.bytes) } }

    func added(items: Int, bytes: Int) {
        state.withLock { state in
            state.items += items
            state.bytes += bytes
        }
    }

    func take(most: Int, bytes: Int) throws(StoreError) -> [Int64] {
        let held = state.withLock { $0.sequences.count }
        let waiting = try database.read { (connection) throws(StoreError) in
            try connection.query(
                "SELECT sequence, length(payload) FROM spool ORDER BY sequence LIMIT ?", [.integer(Int64(held + most))]
            ) { (sequence: $0.integer(0), bytes: $0.int(1)) }
        }
        return state.withLock { state in
            var (taken, size): ([Int64], Int) = ([], 0)
            for row in waiting where state.sequences.insert(row.sequence).inserted {
                taken.append(row.sequence)
                size += row.bytes
                if taken.count >= most || size >= bytes { break }
            }
            return taken
        }
    }

    func takeEvent(of queue: EventQueue) throws(StoreError) -> Int64? {
        let held = state.withLock { $0.eventRows.count }
        let waiting = try database.read { (connection) throws(StoreError) in
            try connection.query(
                "SELECT event_row FROM \(queue.rawValue) ORDER BY event_row LIMIT ?", [.integer(Int64(held + 1))]
            ) { $0.integer(0) }
        }
        return state.withLock { state in waiting.first { state.eventRows.insert($0).inserted } }
    }

    func release(sequences: [Int64]) {
        state.withLock { $0.sequences.subtract(sequences) }
    }

    func release(eventRow: Int64) {
        state.withLock { _ = $0.eventRows.remove(eventRow) }
    }

    func held(of sequences: [Int64], _ connection: SQLConnection) -> Set<Int64> { Set(sequences) }

    func holds(eventRow: Int64, _ connection: SQLConnection) -> Bool { true }

    func settled(_ removed: [Int64: Int?]) {
        state.withLock { state in
            for (sequence, bytes) in removed {
                state.sequences.remove(sequence)
                guard let bytes else { continue }
                state.items -= 1
                state.bytes -= bytes
            }
        }
    }

    func take(_ duty: Duty) -> Bool { true }

    func release(_ duty: Duty) {}

    func close() {}
}
