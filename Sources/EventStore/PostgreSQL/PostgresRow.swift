// SPDX-License-Identifier: Apache-2.0
struct PostgresRow {
    func integer(_ column: Int32) -> Int64 { 0 }
    func isNull(_ column: Int32) -> Bool { true }
    func optionalText(_ column: Int32) -> String? { nil }
    func bytes(_ column: Int32) -> [UInt8] { [] }
}
