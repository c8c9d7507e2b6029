// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// What a program says it did not send: any object of counts, or lists of reasons with counts, however nested.
enum ClientReport {
    static let mostReasons = 64

    static func counts(_ payload: Data) -> [String: Int64] {
        guard let value = try? ModelCoding.decode(JSONValue.self, from: payload) else { return [:] }
        var result: [String: Int64] = [:]
        collect(value, name: "", into: &result)
        return result
    }

    private static func collect(_ value: JSONValue, name: String, into result: inout [String: Int64]) {
        switch value {
        case .integer(let count):
            guard result.count < mostReasons, count > 0, count < 1 << 40, !name.isEmpty else { return }
            result[String(name.prefix(200)), default: 0] += count
        case .array(let values):
            for value in values.prefix(mostReasons) { collect(value, name: name, into: &result) }
        case .object(let members):
            if let reason = members["reason"]?.string, let count = members["quantity"] ?? members["count"] {
                return collect(count, name: join(name, join(members["category"]?.string ?? "", reason)), into: &result)
            }
            for (key, value) in members.sorted(by: { $0.key < $1.key }).prefix(mostReasons) {
                collect(value, name: join(name, key), into: &result)
            }
        case .null, .bool, .number, .string: return
        }
    }

    private static func join(_ one: String, _ other: String) -> String {
        one.isEmpty ? other : "\(one).\(other)"
    }
}
