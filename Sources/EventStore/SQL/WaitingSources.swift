// SPDX-License-Identifier: Apache-2.0

/// Which events wait for source bundles, inside a transaction that its caller holds.
struct WaitingSources {
    let connection: SQLConnection

    func replace(_ eventRow: Int64, by buildIDs: [String], imageRevision: Int64) throws(StoreError) {
        try connection.post("DELETE FROM waiting_sources WHERE event_row = ?", [.integer(eventRow)])
        guard !buildIDs.isEmpty else { return }
        for buildID in Set(buildIDs) {
            try connection.post(
                "INSERT INTO waiting_sources (build_id, event_row) VALUES (?, ?)", [.text(buildID), .integer(eventRow)])
        }
        // A bundle that came while the event was worked on may have been missed: look again.
        try connection.post(
            """
            INSERT INTO source_queue (event_row) SELECT w.event_row FROM waiting_sources w
            JOIN artifacts a ON a.build_id = w.build_id AND a.kind = 'sources'
            WHERE w.event_row = ? AND a.id > ? LIMIT 1 ON CONFLICT DO NOTHING
            """, [.integer(eventRow), .integer(imageRevision)])
    }
}
