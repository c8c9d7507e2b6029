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
        try repeating(while: { true }) { size throws(StoreError) in try store.forget(records, limit: size) }
    }

    /// As long as there is something to remove and `isNeeded`. `body` gets the number that a step may have.
    func repeating(while isNeeded: () throws -> Bool, _ body: (Int) throws(StoreError) -> Int) throws -> Int {
        var removed = 0
        while try !isStopped && isNeeded() {
            let gone = try step(body)
            removed += gone
            if gone == 0 { break }
        }
        return removed
    }

    /// The oldest first, at most `most`, as long as `isNeeded`.
    func removeEvents(
        _ choice: EventChoice, most: Int = .max, while isNeeded: () throws -> Bool = { true }
    ) throws -> Int {
        var removed = 0
        var cursor: Cursor?
        while try removed < most && !isStopped && isNeeded() {
            let page = try store.removableEvents(choice, after: cursor, limit: min(pace.size, most - removed))
            guard let last = page.items.last else { break }
            removed += try step { _ throws(StoreError) in try store.removeEvents(rows: page.items.map(\.row)) }
            cursor = Cursor(last.receivedAt.milliseconds, last.row)
        }
        return removed
    }

    /// Gives unused pages of the database back.
    func shrink() throws {
        _ = try repeating(while: { true }) { size throws(StoreError) in try store.shrink(pages: size * 4) ? 1 : 0 }
    }

    private func step(_ body: (Int) throws(StoreError) -> Int) throws(StoreError) -> Int {
        let start = ContinuousClock.now
        let result = try body(pace.size)
        isStopped = !rest(pace.took(.now - start))
        return result
    }
}
