// SPDX-License-Identifier: Apache-2.0
package import VakaModel

extension SQLEventStore {
    private static let insertion: String = {
        let names =
            [
                "project_id", "item_id", "install_id", "received_at", "phase", "is_terminal", "is_measured", "site",
                "route",
            ]
            + NetworkColumn.allCases.map(\.column)
        let places = names.map { _ in "?" }.joined(separator: ", ")
        return
            "INSERT INTO network_exchanges (\(names.joined(separator: ", "))) VALUES (\(places)) ON CONFLICT DO NOTHING"
    }()

    package func complete(_ exchanges: [ReadyExchange]) throws(StoreError) {
        var rows: [(sequence: Int64, values: [SQLValue])] = []
        for exchange in exchanges { rows.append((exchange.sequence, try Self.values(exchange))) }
        let removed = try write(repeatable: true) { (connection) throws(StoreError) in
            let held = try work.held(of: rows.map(\.sequence), connection)
            var removed: [Int64: Int?] = [:]
            for row in rows {
                let isHeld = held.contains(row.sequence)
                if isHeld { try connection.run(Self.insertion, row.values) }
                removed.updateValue(isHeld ? try Self.remove(row.sequence, connection) : nil, forKey: row.sequence)
            }
            return removed
        }
        work.settled(removed)
    }

    private static func values(_ exchange: ReadyExchange) throws(StoreError) -> [SQLValue] {
        let (record, counted) = (exchange.record, NetworkRoute(exchange.record))
        var values: [SQLValue] = [
            .integer(exchange.project), .text(exchange.itemID), .text(exchange.installID ?? ""),
            .time(exchange.receivedAt), .text(record.phase.rawValue), .bool(record.phase.isTerminal),
            .bool(record.metadata?[NetworkMetadata.measured] != false),
            .text(counted.site), .text(counted.route),
        ]
        for column in NetworkColumn.allCases { values.append(try column.value(of: record)) }
        return values
    }

    private static func columns(_ chosen: [NetworkColumn]) -> String {
        (["id", "install_id", "received_at", "phase", "site", "route"] + chosen.map(\.column))
            .map { "n." + $0 }.joined(separator: ", ")
    }

    private static func exchange(_ row: SQLRow, _ chosen: [NetworkColumn]) -> StoredExchange {
        var record = NetworkRequestEvent(timestamp: Timestamp(milliseconds: 0), url: "", method: "")
        for (place, column) in chosen.enumerated() { column.read(row, Int32(place) + 6, into: &record) }
        return StoredExchange(
            id: row.integer(0), installID: row.optionalText(1).flatMap { $0.isEmpty ? nil : $0 },
            receivedAt: row.time(2),
            phase: NetworkPhase(rawValue: row.text(3)), site: row.text(4), route: row.text(5), record: record)
    }

    package func exchanges(
        project: Int64, _ query: NetworkQuery, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<StoredExchange> {
        let chosen = NetworkColumn.allCases.filter(\.isOfSummary)
        var conditions = ["n.project_id = ?", "n.id < ?"]
        var values: [SQLValue] = [.integer(project), .integer(after?.first ?? .max)]
        switch query.state {
        case nil: break
        case .live?: conditions.append(Self.isLive)
        case .error?: conditions.append("(n.error IS NOT NULL OR n.status_code >= 400)")
        case .slow?:
            conditions.append("n.duration_ms >= ?")
            values.append(.number(query.slow))
        }
        let wanted = [
            ("site", query.site), ("route", query.route), ("request_id", query.requestID),
            ("install_id", query.installID),
        ]
        for (column, value) in wanted {
            guard let value else { continue }
            conditions.append("n.\(column) = ?")
            values.append(.text(value))
        }
        let rows = try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT \(Self.columns(chosen)) FROM network_exchanges n WHERE \(conditions.joined(separator: " AND "))
                ORDER BY n.id DESC LIMIT ?
                """, values + [.integer(Int64(limit) + 1)]
            ) { Self.exchange($0, chosen) }
        }
        return Page(rows, limit: limit) { Cursor($0.id) }
    }

    package func exchanges(
        ofInstallations ids: [String], project: Int64, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<StoredExchange> {
        let before = after?.first ?? .max
        let rows = try read { (connection) throws(StoreError) -> [StoredExchange] in
            let chosen = try Self.latest(Array(Set(ids)), project, before: before, most: limit + 1, connection)
            guard !chosen.isEmpty else { return [] }
            return try connection.query(
                """
                SELECT \(Self.columns(NetworkColumn.allCases)) FROM network_exchanges n
                WHERE n.project_id = ? AND n.id IN (\(Self.places(chosen.count))) ORDER BY n.id DESC
                """, [.integer(project)] + chosen.map { SQLValue.integer($0) }
            ) { Self.exchange($0, NetworkColumn.allCases) }
        }
        return Page(rows, limit: limit) { Cursor($0.id) }
    }

    /// Installations in one statement.
    private static let mostInstallations = 500

    private static func places(_ count: Int) -> String {
        Array(repeating: "?", count: count).joined(separator: ", ")
    }

    /// The rows of the installations that came last, the latest first.
    private static func latest(
        _ installations: [String], _ project: Int64, before: Int64, most: Int, _ connection: SQLConnection
    ) throws(StoreError) -> [Int64] {
        var latest: [Int64] = []
        for start in stride(from: 0, to: installations.count, by: mostInstallations) {
            let part = installations[start..<min(start + mostInstallations, installations.count)]
            // Of further ones only what comes before the last that was found.
            let least: Int64 = latest.count < most ? .min : latest[most - 1]
            let names = part.map { SQLValue.text($0) }
            let place: [SQLValue] = [.integer(least), .integer(before), .integer(Int64(most))]
            let found = try connection.query(
                """
                SELECT id FROM network_exchanges \(connection.dialect.by("network_exchanges_by_install"))
                WHERE project_id = ? AND install_id IN (\(places(part.count))) AND id > ? AND id < ?
                ORDER BY id DESC LIMIT ?
                """,
                [.integer(project)] + names + place
            ) { $0.integer(0) }
            latest = Array((latest + found).sorted(by: >).prefix(most))
        }
        return latest
    }

    package func installations(ofSessions sessions: [String], project: Int64) throws(StoreError) -> [String] {
        var found: Set<String> = []
        for session in sessions {
            let ids = try read { (connection) throws(StoreError) in
                try connection.query(
                    "SELECT install_id FROM sessions WHERE project_id = ? AND id = ? AND install_id <> ''",
                    [.integer(project), .text(database.dialect.fitting(session))]
                ) { $0.text(0) }
            }
            found.formUnion(ids)
        }
        return found.sorted()
    }

    /// The last of an exchange of which no end is known. Whether it is the last is asked first: in the index by requests the
    /// next stands beside it. An end is looked for of those alone that are the last.
    private static let isLive = """
        n.is_terminal = 0 AND (n.request_id IS NULL OR (
            NOT EXISTS (\(ofSame) AND l.id > n.id) AND NOT EXISTS (\(ofSame) AND l.is_terminal = 1)))
        """

    /// The installation is joined to nothing so that no database goes by the index of installations, in which there may be
    /// as many as the project has.
    private static let ofSame = """
        SELECT 1 FROM network_exchanges l WHERE l.project_id = n.project_id AND l.request_id = n.request_id
            AND l.install_id || '' = n.install_id
        """

    package func exchange(project: Int64, id: Int64) throws(StoreError) -> StoredExchange? {
        try read { (connection) throws(StoreError) in
            try connection.first(
                """
                SELECT \(Self.columns(NetworkColumn.allCases)) FROM network_exchanges n
                WHERE n.project_id = ? AND n.id = ?
                """, [.integer(project), .integer(id)]
            ) { Self.exchange($0, NetworkColumn.allCases) }
        }
    }

    package func measures(
        project: Int64, since: Timestamp, limit: Int
    ) throws(StoreError) -> [ExchangeMeasure] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT site, route, duration_ms,
                    CASE WHEN error IS NOT NULL OR status_code >= 400 THEN 1 ELSE 0 END,
                    request_body_size, response_body_size
                FROM network_exchanges WHERE project_id = ? AND is_terminal = 1 AND is_measured = 1 AND received_at >= ?
                ORDER BY id DESC LIMIT ?
                """, [.integer(project), .time(since), .integer(Int64(limit))]
            ) {
                ExchangeMeasure(
                    site: $0.text(0), route: $0.text(1), milliseconds: $0.number(2), isError: $0.bool(3),
                    sent: $0.integer(4), received: $0.integer(5))
            }
        }
    }

    package func removeExchanges(ofSessions sessions: [String], project: Int64) throws(StoreError) {
        for session in sessions {
            try write { (connection) throws(StoreError) in
                try connection.run(
                    """
                    DELETE FROM network_exchanges WHERE project_id = ?1 AND install_id IN
                        (SELECT install_id FROM sessions WHERE project_id = ?1 AND id = ?2 AND install_id <> '')
                    """, [.integer(project), .text(database.dialect.fitting(session))])
            }
        }
    }

    package func giveUpExchanges(limit: Int) throws(StoreError) -> Int {
        try write { (connection) throws(StoreError) in
            try connection.run(
                """
                DELETE FROM network_exchanges WHERE id IN (SELECT id FROM network_exchanges ORDER BY id LIMIT ?)
                """, [.integer(Int64(limit))])
        }
    }
}
