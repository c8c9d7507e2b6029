// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

extension SQLiteEventStore {
    package func claimSourceItem() throws(StoreError) -> SourceItem? {
        let revision = try imageRevision()
        let held = claims.withLock { $0.eventRows }
        let rows = try read { (connection) throws(StoreError) in
            try connection.query(
                "SELECT event_row FROM source_queue ORDER BY event_row LIMIT ?", [.integer(Int64(held.count + 1))]
            ) { $0.integer(0) }
        }
        for row in rows where claims.withLock({ $0.eventRows.insert(row).inserted }) {
            // Read when it is held: until then somebody else may have replaced it.
            let document = try read { (connection) throws(StoreError) in
                try connection.first("SELECT document FROM events WHERE id = ?", [.integer(row)]) { $0.data(0) }
            }
            if let document { return SourceItem(eventRow: row, document: document, imageRevision: revision) }
            release(eventRow: row)
        }
        return nil
    }

    package func complete(_ item: SourceItem, document: Data, waitingFor: [String]) throws(StoreError) {
        try write { (connection) throws(StoreError) in
            try connection.run("DELETE FROM source_queue WHERE event_row = ?", [.integer(item.eventRow)])
            let changed = try connection.run(
                "UPDATE events SET document = ? WHERE id = ?", [.blob(document), .integer(item.eventRow)])
            guard changed > 0 else { return }
            try WaitingSources(connection: connection).replace(
                item.eventRow, by: waitingFor, imageRevision: item.imageRevision)
        }
        release(eventRow: item.eventRow)
    }

    package func dismiss(_ item: SourceItem) throws(StoreError) {
        try write { (connection) throws(StoreError) in
            try connection.run("DELETE FROM source_queue WHERE event_row = ?", [.integer(item.eventRow)])
        }
        release(eventRow: item.eventRow)
    }
}
