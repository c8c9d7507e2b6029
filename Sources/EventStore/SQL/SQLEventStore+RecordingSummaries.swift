// SPDX-License-Identifier: Apache-2.0
package import VakaModel

extension RecordingQuery {
    var wanted: [(column: String, value: String)] {
        [("recording_id", recording), ("session_id", session), ("user_id", user), ("release", release)]
            .compactMap { column, value in value.map { (column, $0) } }
    }

    /// To be added to others; `table` stands before each column.
    func conditions(_ table: String) -> String { wanted.map { " AND \(table)\($0.column) = ?" }.joined() }
}

extension SQLEventStore {
    package func recordingSummaries(
        project: Int64, _ query: RecordingQuery, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<RecordingSummary> {
        let values = values(query)
        return try read { (connection) throws(StoreError) in
            // A recording has its place in the list by what came last of it.
            let last = try connection.query(
                """
                SELECT r.id, r.recording_id FROM recordings AS r
                WHERE r.project_id = ? AND r.id < ?\(query.conditions("r.")) AND NOT EXISTS (
                    SELECT 1 FROM recordings AS later WHERE later.project_id = r.project_id
                        AND later.recording_id = r.recording_id AND later.id > r.id\(query.conditions("later.")))
                ORDER BY r.id DESC LIMIT ?
                """,
                [.integer(project), .integer(after?.first ?? .max)] + values + values + [.integer(Int64(limit) + 1)]
            ) { row in (id: row.integer(0), name: row.text(1)) }
            let page = Page(last, limit: limit) { Cursor($0.id) }
            let found = try Self.summaries(
                connection, [.integer(project)] + values, query.conditions(""), page.items.map(\.name))
            return Page(items: page.items.compactMap { found[$0.name] }, next: page.next)
        }
    }

    private static func summaries(
        _ connection: SQLConnection, _ values: [SQLValue], _ conditions: String, _ names: [String]
    ) throws(StoreError) -> [String: RecordingSummary] {
        guard !names.isEmpty else { return [:] }
        let places = names.map { _ in "?" }.joined(separator: ", ")
        // A part that came twice counts once.
        let rows = try connection.query(
            """
            SELECT recording_id, count(*), CAST(sum(frames) AS BIGINT), min(started), max(ended), max(event_id),
                max(session_id), max(user_id), max(release)
            FROM (
                SELECT recording_id, part, max(frames) AS frames, min(started) AS started,
                    max(started + duration_ms) AS ended, max(event_id) AS event_id, max(session_id) AS session_id,
                    max(user_id) AS user_id, max(release) AS release
                FROM recordings WHERE project_id = ?\(conditions) AND recording_id IN (\(places))
                GROUP BY recording_id, part) AS parts
            GROUP BY recording_id
            """, values + names.map { .text($0) }
        ) { row in
            func known(_ column: Int32) -> String? {
                row.optionalText(column).flatMap { $0.isEmpty ? nil : $0 }
            }
            return RecordingSummary(
                recordingID: row.text(0), parts: row.int(1), frames: row.int(2), started: row.time(3),
                ended: row.time(4), eventID: known(5), sessionID: known(6), user: known(7), release: known(8))
        }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.recordingID, $0) })
    }
}
