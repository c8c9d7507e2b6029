// SPDX-License-Identifier: Apache-2.0
import EventStore

/// Removes in steps that are short for others who write.
final class RetentionSteps {
    private let store: any EventStore
    /// Waits so many seconds; false when the work is to end.
    private let rest: (Double) -> Bool
    private var pace = Pace()
    private(set) var isStopped = false

    init(store: any EventStore, rest: @escaping (Double) -> Bool) {
        self.store = store
        self.rest = rest
    }

    /// The number of those that are gone.
    func forget(_ records: PassingRecords) throws -> Int {
        var removed = 0
        while !isStopped {
            let gone = try step { size throws(StoreError) in try store.forget(records, limit: size) }
            removed += gone
            if gone == 0 { break }
        }
        return removed
    }

    /// The oldest first, at most `most`.
    func removeEvents(_ choice: EventChoice, most: Int = .max) throws -> Int {
        var removed = 0
        var cursor: Cursor?
        while removed < most, !isStopped {
            let page = try store.removableEvents(choice, after: cursor, limit: min(pace.size, most - removed))
            guard let last = page.items.last else { break }
            removed += try step { _ throws(StoreError) in try store.removeEvents(rows: page.items.map(\.row)) }
            cursor = Cursor(last.receivedAt.milliseconds, last.row)
        }
        return removed
    }

    private func step(_ body: (Int) throws(StoreError) -> Int) throws(StoreError) -> Int {
        let start = ContinuousClock.now
        let result = try body(pace.size)
        isStopped = !rest(pace.took(.now - start))
        return result
    }
}
