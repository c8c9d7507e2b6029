// SPDX-License-Identifier: Apache-2.0
package import VakaModel

extension SQLEventStore {
    package func accept(
        _ entries: [SpoolEntry], project: Int64, from origin: BatchOrigin?,
        done: @escaping @Sendable (StoreError?) -> Void
    ) {
        guard !entries.isEmpty || origin != nil else { return done(nil) }
        let work = CommitGate.Work(entries: sealed(entries), project: project, origin: origin, done: done)
        gate.submit(work) { [self] (group) throws(StoreError) in try commit(group) }
    }

    private func commit(_ group: [CommitGate.Work]) throws(StoreError) {
        let now = database.now
        let batches = group.map {
            JournalBatch(project: $0.project, receivedAt: now, origin: $0.origin, entries: $0.entries)
        }
        if let journal { return try append(batches, to: journal) }
        let added = try write(repeatable: true) { (connection) throws(StoreError) in
            try spool(batches, connection)
        }
        work.added(items: added.items, bytes: added.bytes)
    }

    /// How many there were that had not been accepted before.
    func spool(
        _ batches: [JournalBatch], _ connection: SQLConnection
    ) throws(StoreError) -> (items: Int, bytes: Int) {
        var added = (items: 0, bytes: 0)
        let installations = batches.compactMap { batch in batch.origin.map { "\(batch.project) \($0.installID)" } }
        for name in Set(installations).sorted() { try connection.hold(name) }
        for batch in batches {
            if let origin = batch.origin { try note(origin, batch.project, at: batch.receivedAt, connection) }
            for entry in batch.entries where try spool(entry, of: batch, connection) {
                added.items += 1
                added.bytes += entry.payload.count
            }
        }
        return added
    }

    /// False for an entry that was accepted before.
    private func spool(
        _ entry: SpoolEntry, of batch: JournalBatch, _ connection: SQLConnection
    ) throws(StoreError) -> Bool {
        let identity: [SQLValue] = [
            .integer(batch.project), .text(entry.kind), .text(entry.itemID), .time(batch.receivedAt),
        ]
        // Sessions are told again under the same id as they go on: storing them twice is harmless.
        if entry.kind != ItemKind.session.rawValue {
            let added = try connection.run(
                connection.dialect.acceptance,
                identity)
            guard added > 0 else { return false }
        }
        try connection.run(
            "INSERT INTO spool (project_id, kind, item_id, received_at, payload, install_id) VALUES (?, ?, ?, ?, ?, ?)",
            identity + [.blob(entry.payload), .optional(entry.installID)])
        return true
    }

    package var spoolBytes: Int { work.spoolBytes }
    package var isPressed: Bool { gate.isPressed }

    package func spoolState() throws(StoreError) -> SpoolState {
        let (oldest, mending) = try read { (connection) throws(StoreError) in
            (
                try connection.first("SELECT received_at FROM spool ORDER BY sequence LIMIT 1") { $0.time(0) },
                try connection.first(
                    "SELECT (SELECT count(*) FROM mend_queue) + (SELECT count(*) FROM source_queue)"
                ) { $0.int(0) } ?? 0
            )
        }
        let spool = try work.spool()
        return SpoolState(
            items: spool.items, bytes: spool.bytes, oldest: oldest ?? journal?.waiting.oldest, mending: mending)
    }

    package func claimSpoolItems(most: Int, bytes: Int) throws(StoreError) -> [SpoolItem] {
        let revision = try imageRevision()
        var hasMore = try settleForWork()
        var taken = try work.take(most: most, bytes: bytes)
        // What was sorted in may all have come before.
        while taken.isEmpty, hasMore {
            hasMore = try settleForWork()
            taken = try work.take(most: most, bytes: bytes)
        }
        guard !taken.isEmpty else { return [] }
        do throws(StoreError) {
            return try read { (connection) throws(StoreError) in
                var items: [SpoolItem] = []
                for sequence in taken {
                    if let item = try spoolItem(sequence, revision, connection) {
                        items.append(item)
                    } else {
                        // Completed before it was taken.
                        work.release(sequences: [sequence])
                    }
                }
                return items
            }
        } catch {
            work.release(sequences: taken)
            throw error
        }
    }

    private func spoolItem(
        _ sequence: Int64, _ revision: Int64, _ connection: SQLConnection
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
        return try claimEvent(of: .mending) { (row, connection) throws(StoreError) in
            try connection.first(
                """
                SELECT e.project_id, e.event_id, r.payload, e.received_at
                FROM events e LEFT JOIN event_reports r ON r.event_row = e.id WHERE e.id = ?
                """, [.integer(row)]
            ) {
                MendItem(
                    eventRow: row, project: $0.integer(0), eventID: $0.text(1), report: opened($0.data(2)),
                    receivedAt: $0.time(3), imageRevision: revision)
            }
        }
    }

    /// What `read` makes of an event of the queue, which is held.
    func claimEvent<Item>(
        of queue: EventQueue, _ read: (Int64, SQLConnection) throws(StoreError) -> Item?
    ) throws(StoreError) -> Item? {
        while let row = try work.takeEvent(of: queue) {
            do throws(StoreError) {
                // Read when it is held: until then somebody else may have replaced it.
                let item = try self.read { (connection) throws(StoreError) in try read(row, connection) }
                if let item { return item }
                release(eventRow: row)
            } catch {
                release(eventRow: row)
                throw error
            }
        }
        return nil
    }

    package func release(sequence: Int64) { work.release(sequences: [sequence]) }

    package func release(eventRow: Int64) { work.release(eventRow: eventRow) }

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

    package func keptItems(project: Int64, limit: Int) throws(StoreError) -> [KeptItem] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT kind, item_id, received_at, length(payload) FROM other_items WHERE project_id = ?
                ORDER BY received_at DESC, id DESC LIMIT ?
                """, [.integer(project), .integer(Int64(limit))]
            ) { KeptItem(kind: $0.text(0), itemID: $0.text(1), receivedAt: $0.time(2), bytes: $0.int(3)) }
        }
    }

    package func dismiss(eventRow: Int64) throws(StoreError) {
        try write { (connection) throws(StoreError) in
            try connection.run("DELETE FROM mend_queue WHERE event_row = ?", [.integer(eventRow)])
        }
        release(eventRow: eventRow)
    }

    /// Runs `body` and removes the spool's row in one transaction; neither where the row is another's by now.
    func finish(sequence: Int64, _ body: (SQLConnection) throws(StoreError) -> Void) throws(StoreError) {
        let bytes = try write(repeatable: true) { (connection) throws(StoreError) -> Int? in
            guard try work.held(of: [sequence], connection).contains(sequence) else { return nil }
            try body(connection)
            return try Self.remove(sequence, connection)
        }
        work.settled([sequence: bytes])
    }

    /// The size of what the spool's row held; nil where there was none.
    static func remove(_ sequence: Int64, _ connection: SQLConnection) throws(StoreError) -> Int? {
        try connection.first("DELETE FROM spool WHERE sequence = ? RETURNING length(payload)", [.integer(sequence)]) {
            $0.int(0)
        }
    }
}
