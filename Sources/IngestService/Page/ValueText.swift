// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Any JSON value in one line.
enum ValueText {
    static func of(_ value: JSONValue) -> String {
        if case .string(let text) = value { return text }
        guard let data = try? ModelCoding.encode(value) else { return "?" }
        return String(decoding: data.prefix(500), as: UTF8.self)
    }
}
