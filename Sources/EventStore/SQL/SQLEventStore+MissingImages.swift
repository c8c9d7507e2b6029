// SPDX-License-Identifier: Apache-2.0

extension SQLEventStore {
    package func missingImages(project: Int64, limit: Int) throws(StoreError) -> [MissingImage] {
        let rows = try read { (connection) throws(StoreError) in
            // Sets of images are few; events that wait may be many.
            try connection.query(
                """
                SELECT m.build_id, sum(s.events) AS needed,
                    (SELECT e.event_id FROM waiting_images w JOIN events e ON e.id = w.event_row
                        WHERE w.build_id = m.build_id AND e.project_id = ?1 ORDER BY w.event_row DESC LIMIT 1)
                FROM image_sets s JOIN image_set_members m ON m.set_id = s.id
                WHERE s.project_id = ?1 AND NOT EXISTS (
                    SELECT 1 FROM artifacts a
                    WHERE a.build_id = m.build_id AND a.project_id IN (?1, \(Artifact.noProject)))
                GROUP BY m.build_id ORDER BY needed DESC, m.build_id LIMIT ?2
                """, [.integer(project), .integer(Int64(limit))]
            ) { row in
                row.optionalText(2).map { MissingImage(buildID: row.text(0), events: row.int(1), latestEvent: $0) }
            }
        }
        return rows.compactMap { $0 }
    }
}
