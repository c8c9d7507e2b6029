// SPDX-License-Identifier: Apache-2.0

/// Rounds of housekeeping out of their turn, asked for by whoever uses the store and done by a server, which knows the limits.
package protocol HousekeepingStore: Sendable {
    func housekeeping() throws(StoreError) -> HousekeepingState
    /// The number of the round that is asked for.
    func askForHousekeeping() throws(StoreError) -> Int64
    /// A server begins with all that were asked for; the number of the last.
    func beginHousekeeping() throws(StoreError) -> Int64
    /// That round came to its end, and removed so much.
    func endHousekeeping(_ number: Int64, events: Int, records: Int) throws(StoreError)
}
