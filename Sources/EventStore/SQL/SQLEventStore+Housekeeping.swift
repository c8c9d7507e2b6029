// SPDX-License-Identifier: Apache-2.0

extension SQLEventStore {
    package func housekeeping() throws(StoreError) -> HousekeepingState {
        try read { (connection) throws(StoreError) in
            try connection.first("SELECT asked, begun, done, events, records FROM housekeeping WHERE id = 1") { row in
                var state = HousekeepingState()
                (state.asked, state.begun, state.done) = (row.integer(0), row.integer(1), row.integer(2))
                (state.events, state.records) = (row.int(3), row.int(4))
                return state
            } ?? HousekeepingState()
        }
    }

    package func askForHousekeeping() throws(StoreError) -> Int64 {
        try write { (connection) throws(StoreError) in
            try connection.first("UPDATE housekeeping SET asked = asked + 1 WHERE id = 1 RETURNING asked") {
                $0.integer(0)
            } ?? 0
        }
    }

    package func beginHousekeeping() throws(StoreError) -> Int64 {
        try write(.none, repeatable: true) { (connection) throws(StoreError) in
            try connection.first("UPDATE housekeeping SET begun = asked WHERE id = 1 RETURNING begun") {
                $0.integer(0)
            } ?? 0
        }
    }

    package func endHousekeeping(_ number: Int64, events: Int, records: Int) throws(StoreError) {
        try write(.none, repeatable: true) { (connection) throws(StoreError) in
            try connection.run(
                "UPDATE housekeeping SET done = ?, events = ?, records = ? WHERE id = 1",
                [.integer(number), .integer(Int64(events)), .integer(Int64(records))])
        }
    }
}
