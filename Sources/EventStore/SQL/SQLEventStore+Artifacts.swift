// SPDX-License-Identifier: Apache-2.0
package import VakaModel

extension SQLEventStore {
    package func addArtifact(_ artifact: Artifact, project: Int64) throws(StoreError) -> Int {
        try write(.images) { (connection) throws(StoreError) in
            // An improved upload takes the place of the poorer one in the list.
            try connection.run(
                """
                DELETE FROM artifacts
                WHERE project_id = ? AND build_id = ? AND kind = ? AND has_code <= ? AND has_debug_info <= ?
                """,
                [
                    .integer(project), .text(artifact.buildID), .text(artifact.kind.rawValue), .bool(artifact.hasCode),
                    .bool(artifact.hasDebugInfo),
                ])
            try connection.run(
                """
                INSERT INTO artifacts (project_id, build_id, kind, has_code, has_debug_info, size, name, release,
                    uploaded_at, source_files, verified_files) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .integer(project), .text(artifact.buildID), .text(artifact.kind.rawValue), .bool(artifact.hasCode),
                    .bool(artifact.hasDebugInfo), .integer(artifact.size), .optional(artifact.name),
                    .optional(artifact.release), .time(artifact.uploadedAt), .optional(artifact.sourceFiles),
                    .optional(artifact.verifiedFiles),
                ])
            return try connection.run(Self.queueing(artifact.kind), [.text(artifact.buildID)])
        }
    }

    /// Queues the events that wait for a kind of artifact of a build id.
    private static func queueing(_ kind: ArtifactKind) -> String {
        guard kind == .sources else {
            return """
                INSERT INTO mend_queue (event_row) SELECT w.event_row FROM waiting_images w
                JOIN event_reports r ON r.event_row = w.event_row WHERE w.build_id = ? ON CONFLICT DO NOTHING
                """
        }
        return """
            INSERT INTO source_queue (event_row) SELECT event_row FROM waiting_sources WHERE build_id = ?
            ON CONFLICT DO NOTHING
            """
    }

    package func artifacts(
        project: Int64, _ filter: ArtifactFilter, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<Artifact> {
        let rows = try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT id, build_id, kind, has_code, has_debug_info, size, name, release, uploaded_at, source_files,
                    verified_files, \(ImageUses.events) FROM artifacts a
                WHERE project_id = ?1 AND (CAST(?2 AS TEXT) IS NULL OR build_id = ?2)
                    AND (CAST(?3 AS TEXT) IS NULL OR kind = ?3) AND id < ?4
                    AND (CAST(?6 AS BIGINT) IS NULL OR (uploaded_at < ?6 AND \(ImageUses.events) = 0))
                ORDER BY id DESC LIMIT ?5
                """,
                [
                    .integer(project), .optional(filter.buildID), .optional(filter.kind?.rawValue),
                    .integer(after?.first ?? .max), .integer(Int64(limit) + 1),
                    filter.unusedBefore.map { .time($0) } ?? .null,
                ]
            ) { row in
                Artifact(
                    id: row.integer(0), buildID: row.text(1), kind: ArtifactKind(rawValue: row.text(2)),
                    hasCode: row.bool(3), hasDebugInfo: row.bool(4), size: row.integer(5), name: row.optionalText(6),
                    release: row.optionalText(7), uploadedAt: row.time(8), sourceFiles: row.optionalInt(9),
                    verifiedFiles: row.optionalInt(10), events: row.int(11))
            }
        }
        return Page(rows, limit: limit) { Cursor($0.id) }
    }

    package func removeUnusedArtifacts(
        before time: Timestamp, project: Int64?, limit: Int
    ) throws(StoreError) -> UnusedArtifacts {
        try write(.images) { (connection) throws(StoreError) in
            let unused = try connection.query(
                """
                SELECT project_id, build_id FROM artifacts a
                WHERE project_id <> \(Artifact.noProject) AND (CAST(?1 AS BIGINT) IS NULL OR project_id = ?1)
                GROUP BY 1, 2 HAVING max(uploaded_at) < ?2 AND \(ImageUses.events) = 0 ORDER BY max(uploaded_at) LIMIT ?3
                """,
                [project.map { .integer($0) } ?? .null, .time(time), .integer(Int64(limit))]
            ) { (project: $0.integer(0), buildID: $0.text(1)) }
            var orphans: [String] = []
            for image in unused {
                try connection.run(
                    "DELETE FROM artifacts WHERE project_id = ? AND build_id = ?",
                    [.integer(image.project), .text(image.buildID)])
                let isThere = try connection.first(
                    "SELECT 1 FROM artifacts WHERE build_id = ? AND project_id <> ? LIMIT 1",
                    [.text(image.buildID), .integer(Artifact.noProject)]
                ) { _ in true }
                if isThere == nil { orphans.append(image.buildID) }
            }
            return UnusedArtifacts(removed: unused.count, orphans: orphans)
        }
    }

    package func imageRevision() throws(StoreError) -> Int64 {
        try read { (connection) throws(StoreError) in
            try connection.first(connection.dialect.imageRevision) { $0.integer(0) } ?? 0
        }
    }
}
