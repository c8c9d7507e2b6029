// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// A value to bind.
enum SQLValue: Sendable {
    case null
    case integer(Int64)
    case number(Double)
    case text(String)
    case blob(Data)

    static func optional(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
    static func optional(_ number: Int?) -> SQLValue { number.map { .integer(Int64($0)) } ?? .null }
    static func bool(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
    static func time(_ value: Timestamp) -> SQLValue { .integer(value.milliseconds) }
    static func bytes(_ value: [UInt8]) -> SQLValue { .blob(Data(value)) }
}
