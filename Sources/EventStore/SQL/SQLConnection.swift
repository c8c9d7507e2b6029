// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// One connection to a database of either kind, used by one thread at a time.
final class SQLConnection: Sendable {
    let driver: any SQLDriver
    let dialect: Dialect

    init(_ driver: any SQLDriver) {
        self.driver = driver
        dialect = driver.dialect
    }

    var now: Timestamp { driver.now }

    func close() { driver.close() }

    /// Runs statements that are given no values.
    func execute(_ sql: String) throws(StoreError) { try driver.execute(sql) }

    /// The number of rows that changed.
    @discardableResult
    func run(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> Int {
        try driver.run(sql, values) { _ in }
    }

    /// Runs a statement in a transaction of which neither rows nor their number matter; it may go along with the next one, and
    /// fails with it.
    func post(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) {
        try driver.post(sql, values)
    }

    /// Of a table with an `id`: that of the new row.
    func insert(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> Int64 {
        try driver.insert(sql, values)
    }

    func first<Value>(
        _ sql: String, _ values: [SQLValue] = [], _ read: (SQLRow) -> Value
    ) throws(StoreError) -> Value? {
        var first: Value?
        _ = try driver.run(sql, values) { row in
            if first == nil { first = .some(read(row)) }
        }
        return first
    }

    func query<Value>(
        _ sql: String, _ values: [SQLValue] = [], _ read: (SQLRow) -> Value
    ) throws(StoreError) -> [Value] {
        var rows: [Value] = []
        _ = try driver.run(sql, values) { rows.append(read($0)) }
        return rows
    }

    /// Until the transaction ends nobody else holds the name. Where one writes at a time there is nothing to do.
    func hold(_ name: String) throws(StoreError) {
        guard dialect == .postgres else { return }
        try run("SELECT pg_advisory_xact_lock(7265, hashtext(?))", [.text(name)])
    }

    /// All of `body` or nothing.
    func transaction<Result>(_ body: (SQLConnection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try driver.begin()
        do {
            let result = try body(self)
            try driver.commit()
            return result
        } catch {
            driver.rollback()
            throw error
        }
    }
}
