// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

extension StoredTextPlace {
    fileprivate var table: String {
        switch self {
        case .documents, .eventTitles: "events"
        case .reports: "event_reports"
        case .attachments: "attachments"
        case .otherItems: "other_items"
        case .recordings: "recordings"
        case .issueTitles, .issueCulprits: "issues"
        default: "network_exchanges"
        }
    }

    fileprivate var column: String {
        switch self {
        case .documents, .recordings: "document"
        case .reports, .otherItems: "payload"
        case .attachments: "data"
        case .eventTitles, .issueTitles: "title"
        case .issueCulprits: "culprit"
        case .exchangeURLs: NetworkColumn.url.column
        case .exchangePaths: NetworkColumn.path.column
        case .exchangeErrors: NetworkColumn.error.column
        case .exchangeMetadata: NetworkColumn.metadata.column
        case .exchangeRequestHeaders: NetworkColumn.requestHeaders.column
        case .exchangeResponseHeaders: NetworkColumn.responseHeaders.column
        case .exchangeRequestBodies: NetworkColumn.requestBody.column
        case .exchangeResponseBodies: NetworkColumn.responseBody.column
        case .exchangeHosts: NetworkColumn.host.column
        case .exchangeSites: "site"
        case .exchangeRoutes: "route"
        case .exchangeMethods: NetworkColumn.method.column
        case .exchangeContentTypes: NetworkColumn.contentType.column
        case .exchangeProtocols: NetworkColumn.protocolName.column
        case .exchangeRequests: NetworkColumn.requestId.column
        case .exchangeConnections: NetworkColumn.connectionId.column
        }
    }

    fileprivate var row: String {
        switch self {
        case .reports: "event_row"
        case .attachments: "rowid"
        default: "id"
        }
    }

    fileprivate var isText: Bool { table == "network_exchanges" || Self.titles.contains(self) }
    private static let titles: [StoredTextPlace] = [.eventTitles, .issueTitles, .issueCulprits]
    /// A column that is null where the text is not sealed; nil where the text itself tells.
    fileprivate var sealedMark: String? { self == .attachments ? "sealed_size" : nil }
    fileprivate var isSealed: Bool { [.reports, .otherItems, .attachments, .recordings].contains(self) }

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
        // Without the key what is sealed stays as it is.
        let readable = place.sealedMark.map { sealing == nil ? " AND \($0) IS NULL" : "" } ?? ""
        return try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT \(place.row), \(place.column), \(place.sealedMark ?? "1") FROM \(place.table)
                WHERE \(place.ofProject) AND \(place.row) > ?2 AND \(place.column) IS NOT NULL\(readable)
                ORDER BY \(place.row) LIMIT ?3
                """, [.integer(project), .integer(row), .integer(Int64(limit))]
            ) { StoredText(row: $0.integer(0), data: self.text($0.data(1), place, isSealed: !$0.isNull(2))) }
        }
    }

    private func text(_ stored: Data, _ place: StoredTextPlace, isSealed: Bool) -> Data {
        place.isSealed && isSealed ? opened(stored) : stored
    }

    package func replace(
        _ texts: [(old: StoredText, new: Data)], in place: StoredTextPlace
    ) throws(StoreError) -> Int {
        guard !texts.isEmpty else { return 0 }
        let lookUp = """
            SELECT \(place.column), \(place.sealedMark ?? "1") FROM \(place.table) WHERE \(place.row) = ?
            """ + database.dialect.holdingRows
        return try write { (connection) throws(StoreError) in
            var replaced = 0
            for (old, new) in texts {
                let now = try connection.first(lookUp, [.integer(old.row)]) {
                    self.text($0.data(0), place, isSealed: !$0.isNull(1))
                }
                // Somebody else has written meanwhile, by the rules that hold now.
                guard now == old.data else { continue }
                replaced += try put(new, in: place, row: old.row, connection)
            }
            return replaced
        }
    }

    private func put(
        _ new: Data, in place: StoredTextPlace, row: Int64, _ connection: SQLConnection
    ) throws(StoreError) -> Int {
        let isSealed = place.isSealed && sealing != nil
        let value: SQLValue =
            place.isText ? .text(String(decoding: new, as: UTF8.self)) : .blob(isSealed ? sealed(new) : new)
        let mark = place.sealedMark.map { ", \($0) = ?3" } ?? ""
        let size: [SQLValue] = place.sealedMark == nil ? [] : [.optional(isSealed ? new.count : nil)]
        return try connection.run(
            "UPDATE \(place.table) SET \(place.column) = ?1\(mark) WHERE \(place.row) = ?2",
            [value, .integer(row)] + size)
    }
}
