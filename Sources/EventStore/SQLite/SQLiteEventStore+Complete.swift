// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension SQLiteEventStore {
    package func complete(_ event: ProcessedEvent) throws(StoreError) -> StoreOutcome {
        switch event.source {
        case .spool(let sequence):
            return try finish(sequence: sequence) { (connection) throws(StoreError) in
                try EventWriter(connection: connection, event: event).add()
            }
        case .mend(let eventRow):
            let outcome = try write { (connection) throws(StoreError) in
                try EventWriter(connection: connection, event: event).mend(eventRow)
            }
            release(eventRow: eventRow)
            return outcome
        }
    }
}
