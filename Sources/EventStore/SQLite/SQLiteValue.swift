// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// A value to bind.
enum SQLiteValue: Sendable {
    case null
    case integer(Int64)
    case number(Double)
    case text(String)
    case blob(Data)

    static func optional(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
    static func optional(_ number: Int?) -> SQLiteValue { number.map { .integer(Int64($0)) } ?? .null }
    static func bool(_ value: Bool) -> SQLiteValue { .integer(value ? 1 : 0) }
    static func time(_ value: Timestamp) -> SQLiteValue { .integer(value.milliseconds) }
    static func bytes(_ value: [UInt8]) -> SQLiteValue { .blob(Data(value)) }
}
