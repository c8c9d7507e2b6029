// SPDX-License-Identifier: Apache-2.0
package import VakaModel

extension SQLiteEventStore {
    package func accept(
        _ entries: [SpoolEntry], project: Int64, from origin: BatchOrigin?
    ) throws(StoreError) {
        guard !entries.isEmpty || origin != nil else { return }
        try gate.submit(CommitGate.Work(entries: sealed(entries), project: project, origin: origin)) {
            (group) throws(StoreError) in
            try commit(group)
        }
    }

    private func commit(_ group: [CommitGate.Work]) throws(StoreError) {
        let (items, bytes) = try write { (connection) throws(StoreError) in
            var items = 0
            var bytes = 0
            for work in group {
                if let origin = work.origin { try self.note(origin, work.project, connection) }
                for entry in work.entries where try self.spool(entry, work.project, connection) {
                    items += 1
                    bytes += entry.payload.count
                }
            }
            return (items, bytes)
        }
        claims.withLock { claims in
            claims.items += items
            claims.bytes += bytes
        }
    }

    /// False for an entry that was accepted before.
    private func spool(
        _ entry: SpoolEntry, _ project: Int64, _ connection: SQLiteConnection
    ) throws(StoreError) -> Bool {
        let now = SQLiteValue.time(.now)
        let identity: [SQLiteValue] = [.integer(project), .text(entry.kind), .text(entry.itemID), now]
        // Sessions are told again under the same id as they go on: storing them twice is harmless.
        if entry.kind != ItemKind.session.rawValue {
            let added = try connection.run(
                "INSERT OR IGNORE INTO accepted_items (project_id, kind, item_id, received_at) VALUES (?, ?, ?, ?)",
                identity)
            guard added > 0 else { return false }
        }
        try connection.run(
            "INSERT INTO spool (project_id, kind, item_id, received_at, payload, install_id) VALUES (?, ?, ?, ?, ?, ?)",
            identity + [.blob(entry.payload), .optional(entry.installID)])
        return true
    }

    package var spoolBytes: Int { claims.withLock { $0.bytes } }

    package func spoolState() throws(StoreError) -> SpoolState {
        let (oldest, mending) = try read { (connection) throws(StoreError) in
            (
                try connection.first("SELECT received_at FROM spool ORDER BY sequence LIMIT 1") { $0.time(0) },
                try connection.first(
                    "SELECT (SELECT count(*) FROM mend_queue) + (SELECT count(*) FROM source_queue)"
                ) { $0.int(0) } ?? 0
            )
        }
        return claims.withLock { SpoolState(items: $0.items, bytes: $0.bytes, oldest: oldest, mending: mending) }
    }

    package func claimSpoolItems(most: Int, bytes: Int) throws(StoreError) -> [SpoolItem] {
        let revision = try imageRevision()
        let held = claims.withLock { $0.sequences }
        var claimed: [Int64] = []
        do throws(StoreError) {
            return try read { (connection) throws(StoreError) in
                let waiting = try connection.query(
                    "SELECT sequence FROM spool ORDER BY sequence LIMIT ?", [.integer(Int64(held.count + most))]
                ) { $0.integer(0) }
                var (items, size): ([SpoolItem], Int) = ([], 0)
                for sequence in waiting where claims.withLock({ $0.sequences.insert(sequence).inserted }) {
                    claimed.append(sequence)
                    guard let item = try spoolItem(sequence, revision, connection) else {
                        // Completed between the two reads.
                        release(sequence: sequence)
                        continue
                    }
                    items.append(item)
                    size += item.entry.payload.count
                    if items.count >= most || size >= bytes { break }
                }
                return items
            }
        } catch {
            claimed.forEach(release(sequence:))
            throw error
        }
    }

    private func spoolItem(
        _ sequence: Int64, _ revision: Int64, _ connection: SQLiteConnection
    ) throws(StoreError) -> SpoolItem? {
        try connection.first(
            "SELECT project_id, kind, item_id, payload, received_at, install_id FROM spool WHERE sequence = ?",
            [.integer(sequence)]
        ) { row in
            SpoolItem(
                sequence: sequence, project: row.integer(0),
                entry: SpoolEntry(
                    kind: row.text(1), itemID: row.text(2), payload: opened(row.data(3)), installID: row.optionalText(5)
                ),
                receivedAt: row.time(4), imageRevision: revision)
        }
    }

    package func claimMendItem() throws(StoreError) -> MendItem? {
        let revision = try imageRevision()
        let held = claims.withLock { $0.eventRows }
        let rows = try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT m.event_row, e.project_id, e.event_id, r.payload, e.received_at FROM mend_queue m
                JOIN events e ON e.id = m.event_row LEFT JOIN event_reports r ON r.event_row = m.event_row
                ORDER BY m.event_row LIMIT ?
                """, [.integer(Int64(held.count + 1))]
            ) { row in
                MendItem(
                    eventRow: row.integer(0), project: row.integer(1), eventID: row.text(2),
                    report: opened(row.data(3)),
                    receivedAt: row.time(4), imageRevision: revision)
            }
        }
        return rows.first { row in claims.withLock { $0.eventRows.insert(row.eventRow).inserted } }
    }

    package func release(sequence: Int64) {
        claims.withLock { _ = $0.sequences.remove(sequence) }
    }

    package func release(eventRow: Int64) {
        claims.withLock { _ = $0.eventRows.remove(eventRow) }
    }

    package func keep(_ item: SpoolItem) throws(StoreError) {
        try finish(sequence: item.sequence) { (connection) throws(StoreError) in
            try connection.run(
                "INSERT INTO other_items (project_id, kind, item_id, received_at, payload) VALUES (?, ?, ?, ?, ?)",
                [
                    .integer(item.project), .text(item.entry.kind), .text(item.entry.itemID), .time(item.receivedAt),
                    .blob(sealed(item.entry.payload)),
                ])
        }
    }

    package func dismiss(eventRow: Int64) throws(StoreError) {
        try write { (connection) throws(StoreError) in
            try connection.run("DELETE FROM mend_queue WHERE event_row = ?", [.integer(eventRow)])
        }
        release(eventRow: eventRow)
    }

    /// Runs `body` and removes the spool's row in one transaction.
    @discardableResult
    func finish<Result>(
        sequence: Int64, _ body: (SQLiteConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let (result, bytes) = try write { (connection) throws(StoreError) in
            (try body(connection), try Self.remove(sequence, connection))
        }
        claims.withLock { $0.settle(sequence, bytes) }
        return result
    }

    /// The size of what the spool's row held; nil where there was none.
    static func remove(_ sequence: Int64, _ connection: SQLiteConnection) throws(StoreError) -> Int? {
        try connection.first("DELETE FROM spool WHERE sequence = ? RETURNING length(payload)", [.integer(sequence)]) {
            $0.int(0)
        }
    }
}

extension SQLiteEventStore.Claims {
    /// The row is gone from the spool.
    mutating func settle(_ sequence: Int64, _ removed: Int?) {
        sequences.remove(sequence)
        guard let removed else { return }
        items -= 1
        bytes -= removed
    }
}
