// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

extension StoredTextPlace {
    fileprivate var table: String {
        switch self {
        case .documents, .eventTitles: "events"
        case .reports: "event_reports"
        case .attachments: "attachments"
        case .otherItems: "other_items"
        case .issueTitles, .issueCulprits: "issues"
        }
    }

    fileprivate var column: String {
        switch self {
        case .documents: "document"
        case .reports, .otherItems: "payload"
        case .attachments: "data"
        case .eventTitles, .issueTitles: "title"
        case .issueCulprits: "culprit"
        }
    }

    fileprivate var row: String {
        switch self {
        case .documents, .eventTitles, .otherItems, .issueTitles, .issueCulprits: "id"
        case .reports: "event_row"
        case .attachments: "rowid"
        }
    }

    fileprivate var isText: Bool { [.eventTitles, .issueTitles, .issueCulprits].contains(self) }
    fileprivate var isSealed: Bool { [.reports, .otherItems].contains(self) }

    /// What a project has of the table.
    fileprivate var ofProject: String {
        self == .reports
            ? "event_row IN (SELECT id FROM events WHERE project_id = ?1)" : "project_id = ?1"
    }
}

extension SQLEventStore {
    package func storedTexts(
        _ place: StoredTextPlace, project: Int64, after row: Int64, limit: Int
    ) throws(StoreError) -> [StoredText] {
        let found = try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT \(place.row), \(place.column) FROM \(place.table)
                WHERE \(place.ofProject) AND \(place.row) > ?2 AND \(place.column) IS NOT NULL ORDER BY \(place.row) LIMIT ?3
                """, [.integer(project), .integer(row), .integer(Int64(limit))]
            ) { StoredText(row: $0.integer(0), data: $0.data(1)) }
        }
        guard place.isSealed else { return found }
        return found.map { StoredText(row: $0.row, data: opened($0.data)) }
    }

    package func replace(
        _ texts: [(old: StoredText, new: Data)], in place: StoredTextPlace
    ) throws(StoreError) -> Int {
        guard !texts.isEmpty else { return 0 }
        let statement = "UPDATE \(place.table) SET \(place.column) = ? WHERE \(place.row) = ?"
        let lookUp = "SELECT \(place.column) FROM \(place.table) WHERE \(place.row) = ?\(database.dialect.holdingRows)"
        return try write { (connection) throws(StoreError) in
            var replaced = 0
            for (old, new) in texts {
                let kept = try connection.first(lookUp, [.integer(old.row)]) { $0.data(0) }
                let now = kept.map { place.isSealed ? self.opened($0) : $0 }
                // Somebody else has written meanwhile, by the rules that hold now.
                guard now == old.data else { continue }
                let value: SQLValue =
                    place.isText
                    ? .text(String(decoding: new, as: UTF8.self)) : .blob(place.isSealed ? self.sealed(new) : new)
                replaced += try connection.run(statement, [value, .integer(old.row)])
            }
            return replaced
        }
    }
}
