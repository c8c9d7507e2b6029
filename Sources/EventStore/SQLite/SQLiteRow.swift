// SPDX-License-Identifier: Apache-2.0
import CSQLite
import FoundationEssentials
import VakaModel

/// The row a statement stands on; valid inside the closure that is given it.
struct SQLiteRow {
    let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
    func int(_ column: Int32) -> Int { Int(clamping: integer(column)) }
    func optionalInt(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }
    func bool(_ column: Int32) -> Bool { integer(column) != 0 }
    func time(_ column: Int32) -> Timestamp { Timestamp(milliseconds: integer(column)) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    func text(_ column: Int32) -> String { optionalText(column) ?? "" }

    func optionalText(_ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(statement, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func optionalTime(_ column: Int32) -> Timestamp? { isNull(column) ? nil : time(column) }

    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    func data(_ column: Int32) -> Data { Data(bytes(column)) }
}
