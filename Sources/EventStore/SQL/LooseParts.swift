// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Attachments, recordings and hang ends whose event is not stored.
///
/// Nearly all have their event, so that looking takes longer than removing: a reading connection looks.
struct LooseParts {
    private static let tables = ["attachments", "hang_ends", "recordings"]

    struct Part {
        var table: String
        var identity: [SQLValue]
    }

    let connection: SQLConnection

    func find(before time: Timestamp, limit: Int) throws(StoreError) -> [Part] {
        var parts: [Part] = []
        for table in Self.tables {
            parts += try connection.query(
                """
                SELECT DISTINCT p.project_id, p.event_id FROM \(table) p WHERE p.received_at < ? AND p.event_id <> '' AND NOT EXISTS
                    (SELECT 1 FROM events e WHERE e.project_id = p.project_id AND e.event_id = p.event_id) LIMIT ?
                """, [.time(time), .integer(Int64(limit))]
            ) { Part(table: table, identity: [.integer($0.integer(0)), .text($0.text(1))]) }
        }
        return parts
    }

    /// Those whose event has come meanwhile stay.
    func remove(_ parts: [Part]) throws(StoreError) -> Int {
        var removed = 0
        for part in parts {
            removed += try connection.run(
                """
                DELETE FROM \(part.table) WHERE project_id = ?1 AND event_id = ?2
                    AND NOT EXISTS (SELECT 1 FROM events WHERE project_id = ?1 AND event_id = ?2)
                """, part.identity)
        }
        return removed
    }
}
