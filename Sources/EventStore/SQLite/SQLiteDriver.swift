// SPDX-License-Identifier: Apache-2.0
import CSQLite
import FoundationEssentials
import VakaModel

/// One connection to SQLite with its prepared statements.
final class SQLiteDriver: SQLDriver, @unchecked Sendable {  // its owner hands it to one thread at a time
    private let path: String
    private var database: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]
    /// Searches make statements of many shapes.
    private static let mostStatements = 256

    let dialect = Dialect.sqlite
    var now: Timestamp { .now }

    init(path: String, readOnly: Bool) throws(StoreError) {
        self.path = path
        let mode = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let result = sqlite3_open_v2(path, &database, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard result == SQLITE_OK else {
            let reason = String(cString: sqlite3_errstr(result))
            sqlite3_close_v2(database)
            database = nil
            throw StoreError(.cannotOpen, "cannot open the database \(path): \(reason)")
        }
        sqlite3_busy_timeout(database, 10_000)
        vaka_sqlite_add_functions(database)
        // WAL with FULL: a commit is on the disk when it returns.
        try execute("PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4000")
        if !readOnly {
            try execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
            try execute("PRAGMA journal_size_limit = 67108864")
            // What is written again and again goes into the database once for many commits.
            try execute("PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -16000")
        }
    }

    deinit { close() }

    func close() {
        forgetStatements()
        sqlite3_close_v2(database)
        database = nil
    }

    /// No statement is being stepped through while another is prepared.
    private func forgetStatements() {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
    }

    func execute(_ sql: String) throws(StoreError) {
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
    }

    func insert(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> Int64 {
        _ = try run(sql, values) { _ in }
        return sqlite3_last_insert_rowid(database)
    }

    func run(_ sql: String, _ values: [SQLValue], _ each: (SQLRow) -> Void) throws(StoreError) -> Int {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            guard bind(statement, Int32(index + 1), value) == SQLITE_OK else { throw failure(sql) }
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: each(.sqlite(SQLiteRow(statement: statement)))
            case SQLITE_DONE: return Int(sqlite3_changes(database))
            default: throw failure(sql)
            }
        }
    }

    func begin() throws(StoreError) { try execute("BEGIN IMMEDIATE") }
    func commit() throws(StoreError) { try execute("COMMIT") }

    func rollback() {
        // A full disk has rolled back already; a second rollback then only says so.
        sqlite3_exec(database, "ROLLBACK", nil, nil, nil)
    }

    /// Everything in this database becomes all there is in the other.
    func copy(
        into target: SQLiteDriver, pagesAtOnce: Int32, progress: (_ done: Int, _ total: Int) -> Void
    ) throws(StoreError) {
        guard let copy = sqlite3_backup_init(target.database, "main", database, "main") else {
            throw target.failure("copy")
        }
        var result: Int32
        repeat {
            result = sqlite3_backup_step(copy, pagesAtOnce)
            let total = Int(sqlite3_backup_pagecount(copy))
            progress(total - Int(sqlite3_backup_remaining(copy)), total)
        } while result == SQLITE_OK
        guard sqlite3_backup_finish(copy) == SQLITE_OK, result == SQLITE_DONE else { throw target.failure("copy") }
    }

    private func prepared(_ sql: String) throws(StoreError) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        if statements.count >= Self.mostStatements { forgetStatements() }
        var statement: OpaquePointer?
        guard sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
            let statement
        else { throw failure(sql) }
        statements[sql] = statement
        return statement
    }

    private func bind(_ statement: OpaquePointer, _ index: Int32, _ value: SQLValue) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .number(let number): sqlite3_bind_double(statement, index, number)
        case .text(let text): bind(statement, index, text)
        case .blob(let data):
            data.isEmpty
                ? sqlite3_bind_zeroblob(statement, index, 0)
                : data.withUnsafeBytes { vaka_sqlite_bind_blob(statement, index, $0.baseAddress, UInt64($0.count)) }
        }
    }

    private func bind(_ statement: OpaquePointer, _ index: Int32, _ text: String) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            // A text without bytes may have no address, which would be null.
            guard let start = bytes.baseAddress, !bytes.isEmpty else {
                return vaka_sqlite_bind_text(statement, index, "", 0)
            }
            return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                vaka_sqlite_bind_text(statement, index, $0, Int32(clamping: bytes.count))
            }
        }
    }

    private func failure(_ sql: String) -> StoreError {
        let code = sqlite3_extended_errcode(database)
        let reason = String(cString: sqlite3_errmsg(database))
        let kind: StoreError.Code =
            switch code & 0xff {
            case SQLITE_FULL: .full
            case SQLITE_READONLY: .readOnly
            case SQLITE_IOERR, SQLITE_CANTOPEN: WritingObstacle.to(path) ?? .failed
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
            default: .failed
            }
        return StoreError(kind, "the database failed (\(reason), code \(code)) at: \(sql.prefix(120))")
    }
}

extension SQLConnection {
    convenience init(path: String, readOnly: Bool) throws(StoreError) {
        self.init(try SQLiteDriver(path: path, readOnly: readOnly))
    }
}
