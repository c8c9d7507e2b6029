// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Removes what is kept for a time beside events, inside a transaction that its caller holds.
struct RecordRemover {
    let connection: SQLConnection
    /// At most so many rows of each table.
    let limit: Int64

    /// The number of rows that are gone; 0 when there is nothing left to remove.
    func forget(_ records: PassingRecords) throws(StoreError) -> Int {
        switch connection.dialect == .postgres ? records.ofWholeDays : records {
        case .acceptedItems(let time): try removeAcceptedItems(before: time)
        case .otherItems(let time, let project):
            try remove(
                "other_items", "id", "project_id = ? AND received_at < ?", "received_at",
                [.integer(project), .time(time)])
        case .otherItemsBeyond(let most, let project):
            try removeBeyond("other_items", "id", most, project, order: "received_at")
        case .builds(let time, let project):
            try remove(
                "builds", "project_id, build", "project_id = ? AND at < ?", "at", [.integer(project), .time(time)])
        case .buildsBeyond(let most, let project):
            try removeBeyond("builds", "project_id, build", most, project, order: "at")
        case .sessions(let time, let project):
            try remove(
                "sessions", "project_id, id", "project_id = ? AND started < ?", "started",
                [.integer(project), .time(time)])
        case .exchanges(let time, let project): try removeOld("network_exchanges", "received_at", time, project)
        case .exchangesBeyond(let most, let project):
            try removeBeyond("network_exchanges", "id", most, project, order: "id")
        case .capabilities(let time, let project): try removeOld("capability_reports", "received_at", time, project)
        case .capabilitiesBeyond(let most, let project):
            try removeBeyond("capability_reports", "id", most, project, order: "id")
        case .diagnostics(let time, let project): try removeOld("diagnostics", "at", time, project)
        case .diagnosticsBeyond(let most, let project):
            try removeBeyond("diagnostics", "id", most, project, order: "id")
        case .recordings(let time, let project):
            try remove(
                "recordings", "id", "project_id = ? AND received_at < ?", "received_at",
                [.integer(project), .time(time)])
        case .recordingsBeyond(let most, let project):
            try removeBeyond("recordings", "id", most, project, order: "id")
        // Looked for on another connection: see `LooseParts`.
        case .looseParts: 0
        case .reports(let time): try removeReports(before: time)
        case .waiting(let time): try removeWaiting(before: time)
        }
    }

    private var days: DayRemover? {
        connection.dialect == .postgres ? DayRemover(connection: connection, limit: limit) : nil
    }

    private func removeAcceptedItems(before time: Timestamp) throws(StoreError) -> Int {
        if let done = try days?.forgetAcceptedItems(before: time), done > 0 { return done }
        return try remove(
            "accepted_items", "project_id, kind, item_id", "received_at < ?", "received_at", [.time(time)])
    }

    private func remove(
        _ table: String, _ key: String, _ condition: String, _ order: String, _ values: [SQLValue]
    ) throws(StoreError) -> Int {
        try connection.run(
            """
            DELETE FROM \(table) WHERE (\(key)) IN
                (SELECT \(key) FROM \(table) WHERE \(condition) ORDER BY \(order) LIMIT ?)
            """, values + [.integer(limit)])
    }

    private func removeOld(
        _ table: String, _ column: String, _ time: Timestamp, _ project: Int64
    ) throws(StoreError) -> Int {
        try remove(table, "id", "project_id = ? AND \(column) < ?", column, [.integer(project), .time(time)])
    }

    private func removeBeyond(
        _ table: String, _ key: String, _ most: Int, _ project: Int64, order: String
    ) throws(StoreError) -> Int {
        let there = try connection.first(
            "SELECT count(*) FROM \(table) WHERE project_id = ?", [.integer(project)]
        ) { $0.integer(0) }
        let excess = (there ?? 0) - Int64(most)
        guard excess > 0 else { return 0 }
        return try RecordRemover(connection: connection, limit: min(limit, excess)).remove(
            table, key, "project_id = ?", order, [.integer(project)])
    }

    private func removeReports(before time: Timestamp) throws(StoreError) -> Int {
        if let done = try days?.forgetReports(before: time), done > 0 { return done }
        let rows = try connection.query(
            "SELECT event_row FROM event_reports WHERE received_at < ? ORDER BY received_at LIMIT ?",
            [.time(time), .integer(limit)]
        ) { $0.integer(0) }
        for row in rows { try removeReport(row, leaving: .expired) }
        return rows.count
    }

    /// The event stays as it is, and says what became of its memory.
    func removeReport(_ eventRow: Int64, leaving state: MemoryState) throws(StoreError) {
        try endWaiting(eventRow, leaving: state)
        try connection.run("DELETE FROM event_reports WHERE event_row = ?", [.integer(eventRow)])
    }

    func endWaiting(_ eventRow: Int64, leaving state: MemoryState) throws(StoreError) {
        let row = SQLValue.integer(eventRow)
        try connection.run(
            "UPDATE events SET memory = ? WHERE id = ? AND memory = 'kept'", [.text(state.rawValue), row])
        for table in ["waiting_images", "mend_queue"] {
            try connection.run("DELETE FROM \(table) WHERE event_row = ?", [row])
        }
    }

    private func removeWaiting(before time: Timestamp) throws(StoreError) -> Int {
        // Rows of events are numbered as they came.
        let first = try connection.first(
            """
            SELECT coalesce((SELECT id FROM events WHERE received_at >= ? ORDER BY received_at, id LIMIT 1),
                (SELECT max(id) + 1 FROM events), 0)
            """, [.time(time)]
        ) { $0.integer(0) }
        let boundary: [SQLValue] = [.integer(first ?? 0)]
        return try remove("waiting_sources", "build_id, event_row", "event_row < ?", "event_row", boundary)
            + remove("source_queue", "event_row", "event_row < ?", "event_row", boundary)
    }
}

extension PassingRecords {
    /// Where days are dropped as a whole, nothing is removed of one that is not over.
    fileprivate var ofWholeDays: PassingRecords {
        func midnight(_ time: Timestamp) -> Timestamp {
            Timestamp(milliseconds: time.milliseconds / PostgresDays.length * PostgresDays.length)
        }
        return switch self {
        case .acceptedItems(let time): .acceptedItems(before: midnight(time))
        case .reports(let time): .reports(before: midnight(time))
        default: self
        }
    }
}
