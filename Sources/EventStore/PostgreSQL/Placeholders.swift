// SPDX-License-Identifier: Apache-2.0

/// `?` and `?2`, as our statements have them, in PostgreSQL's words.
enum Placeholders {
    /// None stands in a quoted text of ours. One without a number has the one after the largest so far.
    static func numbered(_ sql: String) -> String {
        var (result, largest): ([UInt8], Int) = ([], 0)
        result.reserveCapacity(sql.utf8.count + 16)
        var rest = Array(sql.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "?") else {
                result.append(byte)
                continue
            }
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest.dropFirst(digits.count)
            let number = Int(String(decoding: digits, as: UTF8.self)) ?? largest + 1
            largest = max(largest, number)
            result.append(contentsOf: "$\(number)".utf8)
        }
        return String(decoding: result, as: UTF8.self)
    }
}
