// SPDX-License-Identifier: Apache-2.0

extension SQLiteEventStore {
    package func addArtifact(_ artifact: Artifact, project: Int64) throws(StoreError) -> Int {
        try write { (connection) throws(StoreError) in
            // An improved upload takes the place of the poorer one in the list.
            try connection.run(
                """
                DELETE FROM artifacts WHERE project_id = ? AND build_id = ? AND has_code <= ? AND has_debug_info <= ?
                """,
                [
                    .integer(project), .text(artifact.buildID), .bool(artifact.hasCode), .bool(artifact.hasDebugInfo),
                ])
            try connection.run(
                """
                INSERT INTO artifacts (project_id, build_id, has_code, has_debug_info, size, name, release, uploaded_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .integer(project), .text(artifact.buildID), .bool(artifact.hasCode), .bool(artifact.hasDebugInfo),
                    .integer(artifact.size), .optional(artifact.name), .optional(artifact.release),
                    .time(artifact.uploadedAt),
                ])
            return try connection.run(
                """
                INSERT OR IGNORE INTO mend_queue (event_row) SELECT w.event_row FROM waiting_images w
                JOIN event_reports r ON r.event_row = w.event_row WHERE w.build_id = ?
                """, [.text(artifact.buildID)])
        }
    }

    package func artifacts(
        project: Int64, buildID: String?, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<Artifact> {
        let rows = try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT id, build_id, has_code, has_debug_info, size, name, release, uploaded_at FROM artifacts
                WHERE project_id = ?1 AND (?2 IS NULL OR build_id = ?2) AND id < ?3 ORDER BY id DESC LIMIT ?4
                """,
                [.integer(project), .optional(buildID), .integer(after?.first ?? .max), .integer(Int64(limit) + 1)]
            ) { row in
                Artifact(
                    id: row.integer(0), buildID: row.text(1), hasCode: row.bool(2), hasDebugInfo: row.bool(3),
                    size: row.integer(4), name: row.optionalText(5), release: row.optionalText(6),
                    uploadedAt: row.time(7))
            }
        }
        return Page(rows, limit: limit) { Cursor($0.id) }
    }

    package func imageRevision() throws(StoreError) -> Int64 {
        try read { (connection) throws(StoreError) in
            // Ids are never used again, not even those of replaced rows.
            try connection.first("SELECT seq FROM sqlite_sequence WHERE name = 'artifacts'") { $0.integer(0) } ?? 0
        }
    }
}
