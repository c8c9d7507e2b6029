// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Who works on what is in rows, under the name of a node: this process. A node is alive for some seconds at a time, by the
/// database's clock; what a dead one held is anybody's. Whoever completes looks whether it still holds.
final class PostgresLedger: WorkLedger {
    private struct Spool {
        var sequences: Set<Int64> = []
        var items = 0
        var bytes = 0
    }

    private let database: PostgresDatabase
    let node: PostgresNode
    /// While items are taken, so that nobody thinks they were left.
    private let taking = Monitor(())
    private let spoolNow = Mutex(Spool())

    /// Of a row with the column `holder`: no node that is alive has it.
    private static func isFree(_ holder: String) -> String {
        "NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = \(holder) AND n.alive_until > \(PostgresClock.sql))"
    }

    init(_ database: PostgresDatabase) throws(StoreError) {
        self.database = database
        node = PostgresNode(database)
        try node.start { [weak self] (connection) throws(StoreError) in try self?.look(connection) }
    }

    func close() { node.stop() }

    var spoolBytes: Int { spoolNow.withLock { max(0, $0.bytes) } }

    var held: Int { spoolNow.withLock { $0.sequences.count } }

    func spool() throws(StoreError) -> (items: Int, bytes: Int) {
        try database.read { (connection) throws(StoreError) in try Self.count(connection) }
    }

    private static func count(_ connection: SQLConnection) throws(StoreError) -> (items: Int, bytes: Int) {
        try connection.first("SELECT count(*), coalesce(sum(length(payload)), 0) FROM spool") { row in
            (row.int(0), row.int(1))
        } ?? (0, 0)
    }

    func added(items: Int, bytes: Int) {
        spoolNow.withLock { spool in
            spool.items += items
            spool.bytes += bytes
        }
    }

    /// In each of the node's rounds: how full the spool is by now, and what this node holds without knowing, for its word
    /// did not reach the database or the answer did not come back.
    private func look(_ connection: SQLConnection) throws(StoreError) {
        let counted = try Self.count(connection)
        spoolNow.withLock { ($0.items, $0.bytes) = counted }
        try taking.withLock { (_) throws(StoreError) in
            let held = try connection.query(
                "SELECT sequence FROM spool WHERE holder = ?", [.text(node.id)]
            ) { $0.integer(0) }
            let known = spoolNow.withLock { $0.sequences }
            for sequence in held where !known.contains(sequence) { try free([sequence], connection) }
        }
        try node.freeEvents(connection)
        try database.prepareDays(connection)
    }

    func take(most: Int, bytes: Int) throws(StoreError) -> [Int64] {
        try taking.withLock { (_) throws(StoreError) in
            let taken = try database.write(.none, repeatable: false) { (connection) throws(StoreError) in
                let waiting = try connection.query(
                    """
                    SELECT sequence, length(payload) FROM spool s WHERE holder IS NULL OR \(Self.isFree("s.holder"))
                    ORDER BY sequence LIMIT ? FOR UPDATE OF s SKIP LOCKED
                    """, [.integer(Int64(most))]
                ) { (sequence: $0.integer(0), bytes: $0.int(1)) }
                var (taken, size): ([Int64], Int) = ([], 0)
                for row in waiting where taken.isEmpty || size < bytes {
                    taken.append(row.sequence)
                    size += row.bytes
                }
                for sequence in taken {
                    try connection.run(
                        "UPDATE spool SET holder = ? WHERE sequence = ?", [.text(node.id), .integer(sequence)])
                }
                return taken
            }
            spoolNow.withLock { $0.sequences.formUnion(taken) }
            return taken
        }
    }

    func takeEvent(of queue: EventQueue) throws(StoreError) -> Int64? {
        try node.takingEvent { () throws(StoreError) in
            try database.write(.none, repeatable: false) { (connection) throws(StoreError) in
                let waiting = try connection.first(
                    """
                    SELECT q.event_row FROM \(queue.rawValue) q WHERE NOT EXISTS (SELECT 1 FROM event_holds h
                        WHERE h.event_row = q.event_row AND NOT \(Self.isFree("h.holder")))
                    ORDER BY q.event_row LIMIT 1 FOR UPDATE OF q SKIP LOCKED
                    """
                ) { $0.integer(0) }
                guard let waiting else { return nil }
                return try connection.first(
                    """
                    INSERT INTO event_holds (event_row, holder) VALUES (?, ?) ON CONFLICT (event_row)
                        DO UPDATE SET holder = excluded.holder WHERE \(Self.isFree("event_holds.holder"))
                    RETURNING event_row
                    """, [.integer(waiting), .text(node.id)]
                ) { $0.integer(0) }
            }
        }
    }

    func release(sequences: [Int64]) {
        spoolNow.withLock { $0.sequences.subtract(sequences) }
        // What does not reach the database now is found in the next round.
        _ = try? database.write(.none, repeatable: true) { (connection) throws(StoreError) in
            try free(sequences, connection)
        }
    }

    private func free(_ sequences: [Int64], _ connection: SQLConnection) throws(StoreError) {
        for sequence in sequences {
            try connection.run(
                "UPDATE spool SET holder = NULL WHERE sequence = ? AND holder = ?",
                [.integer(sequence), .text(node.id)])
        }
    }

    func release(eventRow: Int64) {
        node.leave(eventRow)
        _ = try? database.write(.none, repeatable: true) { (connection) throws(StoreError) in
            try node.free(eventRow, connection)
        }
    }

    func held(of sequences: [Int64], _ connection: SQLConnection) throws(StoreError) -> Set<Int64> {
        guard !sequences.isEmpty else { return [] }
        let places = sequences.map { _ in "?" }.joined(separator: ", ")
        return Set(
            try connection.query(
                "SELECT sequence FROM spool WHERE sequence IN (\(places)) AND holder = ? ORDER BY sequence FOR UPDATE",
                sequences.map { .integer($0) } + [.text(node.id)]
            ) { $0.integer(0) })
    }

    func holds(eventRow: Int64, _ connection: SQLConnection) throws(StoreError) -> Bool {
        try connection.first(
            "SELECT 1 FROM event_holds WHERE event_row = ? AND holder = ? FOR UPDATE",
            [.integer(eventRow), .text(node.id)]
        ) { _ in true } ?? false
    }

    func take(_ duty: Duty) throws(StoreError) -> Bool {
        try database.write(.none, repeatable: true) { (connection) throws(StoreError) in
            try connection.first(
                """
                INSERT INTO duties (name, holder) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET holder = excluded.holder
                WHERE duties.holder = excluded.holder OR \(Self.isFree("duties.holder")) RETURNING name
                """, [.text(duty.rawValue), .text(node.id)]
            ) { _ in true } ?? false
        }
    }

    func release(_ duty: Duty) {
        _ = try? database.write(.none, repeatable: true) { (connection) throws(StoreError) in
            try connection.run(
                "DELETE FROM duties WHERE name = ? AND holder = ?", [.text(duty.rawValue), .text(node.id)])
        }
    }

    func settled(_ removed: [Int64: Int?]) {
        spoolNow.withLock { spool in
            for (sequence, bytes) in removed {
                spool.sequences.remove(sequence)
                guard let bytes else { continue }
                spool.items -= 1
                spool.bytes -= bytes
            }
        }
        // Those that are left in the spool are anybody's.
        let left = removed.filter { $0.value == nil }.map(\.key)
        if !left.isEmpty { release(sequences: left) }
    }
}
