// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import VakaModel

extension SQLEventStore {
    private static let recordingColumns = """
        id, recording_id, part, event_id, session_id, release, started, duration_ms, frames, received_at
        """

    package func complete(recording new: NewRecording, sequence: Int64, project: Int64) throws(StoreError) {
        let recording = new.recording
        try finish(sequence: sequence) { (connection) throws(StoreError) in
            try connection.run(
                """
                INSERT INTO recordings (project_id, item_id, recording_id, part, event_id, session_id, install_id, user_id,
                    release, started, duration_ms, frames, received_at, document)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
                [
                    .integer(project), .text(new.itemID), .text(recording.recordingID), .integer(Int64(recording.part)),
                    .text(recording.eventID ?? ""), .text(fitting(recording.sessionID ?? "")),
                    .text(fitting(new.installID ?? "")), .text(fitting(new.user ?? "")),
                    .optional(recording.release.map(fitting)), .time(recording.started),
                    .integer(Int64(recording.duration)), .integer(Int64(recording.frames.count)), .time(new.receivedAt),
                    .blob(sealed(new.document)),
                ])
        }
    }

    package func recordings(project: Int64, event: String) throws(StoreError) -> [StoredRecording] {
        try recordings(
            "event_id = ? ORDER BY recording_id, part LIMIT 20", project, [.text(event.isEmpty ? "none" : event)])
    }

    package func recordings(
        project: Int64, _ query: RecordingQuery, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<StoredRecording> {
        let rows = try recordings(
            "id < ?\(query.conditions("")) ORDER BY id DESC LIMIT ?", project,
            [.integer(after?.first ?? .max)] + values(query) + [.integer(Int64(limit) + 1)])
        return Page(rows, limit: limit) { Cursor($0.id) }
    }

    package func parts(
        project: Int64, recording: String, from part: Int, isBackwards: Bool, limit: Int
    ) throws(StoreError) -> [StoredRecording] {
        try recordings(
            "recording_id = ? AND "
                + (isBackwards ? "part < ? ORDER BY part DESC, id LIMIT ?" : "part >= ? ORDER BY part, id LIMIT ?"),
            project, [.text(recording), .integer(Int64(part)), .integer(Int64(limit))])
    }

    package func recordings(project: Int64, user: String, limit: Int) throws(StoreError) -> [StoredRecording] {
        let installation = user.hasPrefix("install ") ? String(user.dropFirst(8)) : ""
        return try recordings(
            "(user_id = ? OR (? <> '' AND install_id = ?)) ORDER BY id DESC LIMIT ?", project,
            [.text(fitting(user)), .text(installation), .text(fitting(installation)), .integer(Int64(limit))])
    }

    package func unnamedRecordings(
        ofSessions sessions: [String], project: Int64, limit: Int
    ) throws(StoreError) -> [StoredRecording] {
        var found: [StoredRecording] = []
        for session in sessions where found.count < limit {
            found += try recordings(
                "session_id = ? AND user_id = '' ORDER BY id DESC LIMIT ?", project,
                [.text(fitting(session)), .integer(Int64(limit - found.count))])
        }
        return found
    }

    package func removeUnnamedRecordings(ofSessions sessions: [String], project: Int64) throws(StoreError) {
        for session in sessions {
            try write { (connection) throws(StoreError) in
                try connection.run(
                    "DELETE FROM recordings WHERE project_id = ? AND session_id = ? AND user_id = ''",
                    [.integer(project), .text(fitting(session))])
            }
        }
    }

    package func recording(project: Int64, id: Int64) throws(StoreError) -> Data? {
        try read { (connection) throws(StoreError) in
            try connection.first(
                "SELECT document FROM recordings WHERE project_id = ? AND id = ?", [.integer(project), .integer(id)]
            ) { self.opened($0.data(0)) }
        }
    }

    private func fitting(_ name: String) -> String { database.dialect.fitting(name) }

    func values(_ query: RecordingQuery) -> [SQLValue] { query.wanted.map { .text(fitting($0.value)) } }

    private func recordings(
        _ conditions: String, _ project: Int64, _ values: [SQLValue]
    ) throws(StoreError) -> [StoredRecording] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                "SELECT \(Self.recordingColumns) FROM recordings WHERE project_id = ? AND \(conditions)",
                [.integer(project)] + values
            ) { row in
                func known(_ column: Int32) -> String? { row.text(column).isEmpty ? nil : row.text(column) }
                return StoredRecording(
                    id: row.integer(0), recordingID: row.text(1), part: row.int(2), eventID: known(3),
                    sessionID: known(4), release: row.optionalText(5), started: row.time(6), duration: row.int(7),
                    frames: row.int(8), receivedAt: row.time(9))
            }
        }
    }
}
