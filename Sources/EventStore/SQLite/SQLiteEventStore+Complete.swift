// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension SQLiteEventStore {
    package func complete(_ events: [ProcessedEvent]) throws(StoreError) -> [StoreOutcome] {
        let sealed = sealed(events)
        let (outcomes, removed) = try write { (connection) throws(StoreError) in
            var outcomes: [StoreOutcome] = []
            var removed: [Int64: Int] = [:]
            for event in sealed {
                let writer = EventWriter(connection: connection, event: event)
                switch event.source {
                case .spool(let sequence):
                    let outcome = try writer.add()
                    outcomes.append(outcome)
                    if outcome != .unknownKeys { removed[sequence] = try Self.remove(sequence, connection) }
                case .mend(let row):
                    outcomes.append(try writer.mend(row))
                }
            }
            return (outcomes, removed)
        }
        claims.withLock { claims in
            for event in events {
                switch event.source {
                case .spool(let sequence): claims.settle(sequence, removed[sequence])
                case .mend(let row): claims.eventRows.remove(row)
                }
            }
        }
        return outcomes
    }

    package func isBeyondRate(_ event: ProcessedEvent) throws(StoreError) -> Bool {
        try read { (connection) throws(StoreError) in
            try EventWriter(connection: connection, event: event).isBeyondRate()
        }
    }
}
