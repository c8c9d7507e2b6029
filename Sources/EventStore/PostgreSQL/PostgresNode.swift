// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// This process among those that use a database: a row that says until when it is alive, renewed by a thread with a
/// connection of its own.
final class PostgresNode: Sendable {
    private struct State {
        var isStopping = false
        var isRunning = false
        /// Stored events that are worked on again.
        var eventRows: Set<Int64> = []
    }

    /// Milliseconds after which a node that says nothing is dead.
    static let lease: Int64 = 15_000
    private static let seconds = 2.0
    /// Rows of nodes that died so long ago are removed.
    private static let remembered: Int64 = 86_400_000

    let id = UUID().uuidString
    private let database: PostgresDatabase
    private let state = Monitor(State())
    private let takingEvents = Monitor(())

    init(_ database: PostgresDatabase) {
        self.database = database
    }

    /// Returns when the node is known; `round` is done then and every two seconds.
    func start(_ round: @escaping @Sendable (SQLConnection) throws(StoreError) -> Void) throws(StoreError) {
        let connection = try database.connect(forWork: false)
        try forgetTheDead(connection)
        try renew(connection)
        try round(connection)
        state.withLock { $0.isRunning = true }
        startThread { [self] in
            var current: SQLConnection? = connection
            while state.wait(seconds: Self.seconds, for: { $0.isStopping ? true : nil }) == nil {
                current = beat(current, round)
            }
            if let current { leave(current) }
            state.update { $0.isRunning = false }
        }
    }

    /// What it holds is free at once.
    func stop() {
        state.update { $0.isStopping = true }
        _ = state.wait(seconds: 10) { $0.isRunning ? nil : true }
    }

    /// The connection to go on with; nil where there is none now.
    private func beat(
        _ current: SQLConnection?, _ round: (SQLConnection) throws(StoreError) -> Void
    ) -> SQLConnection? {
        do throws(StoreError) {
            let connection = try connection(current)
            do throws(StoreError) {
                try renew(connection)
                try round(connection)
                return connection
            } catch {
                connection.close()
                return nil
            }
        } catch {
            return nil
        }
    }

    private func connection(_ current: SQLConnection?) throws(StoreError) -> SQLConnection {
        if let current { return current }
        return try database.connect(forWork: false)
    }

    private func renew(_ connection: SQLConnection) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO nodes (id, host, started_at, alive_until)
            VALUES (?1, ?2, \(PostgresClock.sql), \(PostgresClock.sql) + ?3)
            ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until
            """, [.text(id), .text(Self.host), .integer(Self.lease)])
        try database.clock.set(by: connection)
    }

    private func forgetTheDead(_ connection: SQLConnection) throws(StoreError) {
        try connection.run(
            "DELETE FROM nodes WHERE alive_until < \(PostgresClock.sql) - ?", [.integer(Self.remembered)])
        try connection.run("DELETE FROM event_holds WHERE holder NOT IN (SELECT id FROM nodes)")
    }

    private func leave(_ connection: SQLConnection) {
        _ = try? connection.run("DELETE FROM nodes WHERE id = ?", [.text(id)])
        connection.close()
    }

    private static let host: String = {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "unknown" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    // Stored events that this node works on again.

    func takingEvent(_ take: () throws(StoreError) -> Int64?) throws(StoreError) -> Int64? {
        try takingEvents.withLock { (_) throws(StoreError) in
            let row = try take()
            if let row { state.withLock { _ = $0.eventRows.insert(row) } }
            return row
        }
    }

    func leave(_ eventRow: Int64) { state.withLock { _ = $0.eventRows.remove(eventRow) } }

    func free(_ eventRow: Int64, _ connection: SQLConnection) throws(StoreError) {
        try connection.run(
            "DELETE FROM event_holds WHERE event_row = ? AND holder = ?", [.integer(eventRow), .text(id)])
    }

    /// Those that it holds without knowing.
    func freeEvents(_ connection: SQLConnection) throws(StoreError) {
        try takingEvents.withLock { (_) throws(StoreError) in
            let held = try connection.query(
                "SELECT event_row FROM event_holds WHERE holder = ?", [.text(id)]
            ) { $0.integer(0) }
            let known = state.withLock { $0.eventRows }
            for row in held where !known.contains(row) { try free(row, connection) }
        }
    }
}
