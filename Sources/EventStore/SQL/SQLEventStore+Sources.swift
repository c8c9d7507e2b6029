// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

extension SQLEventStore {
    package func claimSourceItem() throws(StoreError) -> SourceItem? {
        let revision = try imageRevision()
        return try claimEvent(of: .sources) { (row, connection) throws(StoreError) in
            try connection.first("SELECT document FROM events WHERE id = ?", [.integer(row)]) {
                SourceItem(eventRow: row, document: $0.data(0), imageRevision: revision)
            }
        }
    }

    package func complete(_ item: SourceItem, document: Data, waitingFor: [String]) throws(StoreError) {
        try write(.imageUses) { (connection) throws(StoreError) in
            guard try work.holds(eventRow: item.eventRow, connection) else { return }
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
