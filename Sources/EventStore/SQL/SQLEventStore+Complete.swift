// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension SQLEventStore {
    package func complete(_ events: [ProcessedEvent]) throws(StoreError) -> [StoreOutcome] {
        let sealed = sealed(events.map(database.dialect.fitting))
        let sequences = events.compactMap { if case .spool(let sequence) = $0.source { sequence } else { nil } }
        let (outcomes, removed) = try write(.issues(events.map(\.project)), repeatable: true) {
            (connection) throws(StoreError) in
            let held = try work.held(of: sequences, connection)
            var outcomes: [StoreOutcome] = []
            var removed: [Int64: Int?] = [:]
            for event in sealed {
                let writer = EventWriter(connection: connection, event: event)
                switch event.source {
                case .spool(let sequence):
                    let isHeld = held.contains(sequence)
                    let outcome = isHeld ? try writer.add() : .duplicate
                    outcomes.append(outcome)
                    let isDone = isHeld && outcome != .unknownKeys
                    removed.updateValue(isDone ? try Self.remove(sequence, connection) : nil, forKey: sequence)
                case .mend(let row):
                    let isHeld = try work.holds(eventRow: row, connection)
                    outcomes.append(isHeld ? try writer.mend(row) : .duplicate)
                }
            }
            return (outcomes, removed)
        }
        work.settled(removed)
        for case .mend(let row) in events.map(\.source) { work.release(eventRow: row) }
        return outcomes
    }

    package func isBeyondRate(_ event: ProcessedEvent) throws(StoreError) -> Bool {
        try read { (connection) throws(StoreError) in
            try EventWriter(connection: connection, event: event).isBeyondRate()
        }
    }
}
