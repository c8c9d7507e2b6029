// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// The row a statement stands on; valid inside the closure that is given it.
enum SQLRow {
    case sqlite(SQLiteRow)
    case postgres(PostgresRow)

    func integer(_ column: Int32) -> Int64 {
        switch self {
        case .sqlite(let row): row.integer(column)
        case .postgres(let row): row.integer(column)
        }
    }

    func isNull(_ column: Int32) -> Bool {
        switch self {
        case .sqlite(let row): row.isNull(column)
        case .postgres(let row): row.isNull(column)
        }
    }

    func optionalText(_ column: Int32) -> String? {
        switch self {
        case .sqlite(let row): row.optionalText(column)
        case .postgres(let row): row.optionalText(column)
        }
    }

    func bytes(_ column: Int32) -> [UInt8] {
        switch self {
        case .sqlite(let row): row.bytes(column)
        case .postgres(let row): row.bytes(column)
        }
    }

    /// As SQLite stores it.
    func value(_ column: Int32) -> SQLValue {
        guard case .sqlite(let row) = self else { return .null }
        return row.value(column)
    }

    func number(_ column: Int32) -> Double {
        switch self {
        case .sqlite(let row): row.number(column)
        case .postgres(let row): row.number(column)
        }
    }

    func int(_ column: Int32) -> Int { Int(clamping: integer(column)) }
    func optionalInt(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }
    func bool(_ column: Int32) -> Bool { integer(column) != 0 }
    func time(_ column: Int32) -> Timestamp { Timestamp(milliseconds: integer(column)) }
    func text(_ column: Int32) -> String { optionalText(column) ?? "" }
    func optionalTime(_ column: Int32) -> Timestamp? { isNull(column) ? nil : time(column) }
    func data(_ column: Int32) -> Data { Data(bytes(column)) }
}
