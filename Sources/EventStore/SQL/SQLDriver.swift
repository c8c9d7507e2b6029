// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What a kind of database does for a connection. Used by one thread at a time.
protocol SQLDriver: AnyObject, Sendable {
    var dialect: Dialect { get }
    /// By the clock that all who use the database share.
    var now: Timestamp { get }
    /// Runs statements that are given no values.
    func execute(_ sql: String) throws(StoreError)
    /// Runs a statement, which is kept prepared; gives each row that it returns. The number of rows that changed.
    ///
    /// `?` stands for the values in their order, `?2` for the second of them.
    func run(_ sql: String, _ values: [SQLValue], _ each: (SQLRow) -> Void) throws(StoreError) -> Int
    /// Runs a statement in a transaction whose outcome nobody asks for. It may wait for the next that is run: what is wrong with
    /// it is thrown there, at the latest by the commit.
    func post(_ sql: String, _ values: [SQLValue]) throws(StoreError)
    /// Runs an INSERT of one row into a table with an `id`; the id.
    func insert(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> Int64
    func begin() throws(StoreError)
    func commit() throws(StoreError)
    func rollback()
    func close()
}

extension SQLDriver {
    func post(_ sql: String, _ values: [SQLValue]) throws(StoreError) {
        _ = try run(sql, values) { _ in }
    }
}
