// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// The fields of a JSON object that a person or script sends: a wrong or unknown one is refused by its name.
struct RequestFields {
    static let longestName = 200
    private let values: [String: JSONValue]

    init(_ request: HTTPRequest, allowed: Set<String>) throws(APIError) {
        guard let body = try? ModelCoding.decode(JSONValue.self, from: request.bodyData), let object = body.object
        else {
            throw APIError(400, "malformed_json", "the body must be a JSON object")
        }
        if let unknown = object.keys.filter({ !allowed.contains($0) }).min() {
            throw Self.wrong(unknown, "is not known here; there are \(allowed.sorted().joined(separator: ", "))")
        }
        values = object
    }

    func has(_ name: String) -> Bool { values[name] != nil }

    func isNull(_ name: String) -> Bool { values[name] == .null }

    /// The names that are there.
    func names(of candidates: [String]) -> [String] { candidates.filter(has) }

    /// A text of 1 to `longest` characters; nil where it is null or not there.
    func text(_ name: String, longest: Int = longestName) throws(APIError) -> String? {
        switch values[name] {
        case nil, .null?: return nil
        case .string(let text)? where !text.isEmpty && text.unicodeScalars.count <= longest: return text
        default: throw Self.wrong(name, "must be a text of 1 to \(longest) characters")
        }
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(APIError) -> Int64? {
        guard let value = values[name] else { return nil }
        guard case .integer(let number) = value, range.contains(number) else {
            throw Self.wrong(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func bool(_ name: String) throws(APIError) -> Bool? {
        switch values[name] {
        case nil: return nil
        case .bool(let value)?: return value
        default: throw Self.wrong(name, "must be true or false")
        }
    }

    func time(_ name: String) throws(APIError) -> Timestamp? {
        guard let value = values[name] else { return nil }
        guard let time = value.string.flatMap({ Timestamp(ofRequest: $0) }) else {
            throw Self.wrong(name, "must be a time as \"2026-01-31T12:00:00.000Z\"")
        }
        return time
    }

    /// A list of 1 to `most` texts; nil where it is not there.
    func texts(_ name: String, most: Int) throws(APIError) -> [String]? {
        guard let value = values[name] else { return nil }
        guard case .array(let items) = value, (1...most).contains(items.count) else {
            throw Self.wrong(name, "must be a list of 1 to \(most) texts")
        }
        let texts = items.compactMap(\.string).filter { !$0.isEmpty && $0.utf8.count <= Self.longestName }
        guard texts.count == items.count else { throw Self.wrong(name, "must hold texts only") }
        return texts
    }

    static func wrong(_ name: String, _ what: String) -> APIError {
        APIError(400, "invalid_field", "\"\(name.prefix(40))\" \(what)")
    }
}
