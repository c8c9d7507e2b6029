// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What is wrong in an event, where, and what has to go for it.
struct EventFault {
    /// Names of members, and indices of elements, from the event inwards.
    enum Part: Hashable {
        case name(String)
        case index(Int)
    }

    /// Of the value that has to go.
    var path: [Part]
    var problem: String
    /// The member that every such value needs; nil where the value itself is wrong.
    var missing: String?
    /// Others of this kind at such places may be right.
    var isOfOneValue: Bool

    init?(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(context, "\"\(key.stringValue)\" is missing", missing: key.stringValue, isOfOneValue: false)
        case .typeMismatch(_, let context):
            self.init(context, context.debugDescription, missing: nil, isOfOneValue: false)
        case .valueNotFound(_, let context), .dataCorrupted(let context):
            self.init(context, context.debugDescription, missing: nil, isOfOneValue: true)
        @unknown default:
            return nil
        }
    }

    private init(_ context: DecodingError.Context, _ problem: String, missing: String?, isOfOneValue: Bool) {
        path = context.codingPath.map { key in key.intValue.map { .index($0) } ?? .name(key.stringValue) }
        self.problem = problem
        self.missing = missing
        self.isOfOneValue = isOfOneValue
    }

    /// The member of the event itself that is wrong or missing.
    var topLevelName: String? {
        if path.isEmpty { return missing }
        if path.count == 1, case .name(let name) = path[0] { return name }
        return nil
    }

    func isAbout(_ names: Set<String>) -> Bool { topLevelName.map(names.contains) ?? false }

    /// Members whose names the program chose.
    private static let dictionaries: Set<String> = ["tags", "registers"]

    /// The path, with `*` for indices and for names that the program chose: equal for all such places.
    var pattern: [String] {
        var result: [String] = []
        for part in path {
            switch part {
            case .index: result.append("*")
            case .name(let name): result.append(Self.dictionaries.contains(result.last ?? "") ? "*" : name)
            }
        }
        return result
    }

    /// `threads[0].frames[3]`.
    static func text(_ path: [Part]) -> String {
        path.reduce("") { text, part in
            switch part {
            case .index(let index): text + "[\(index)]"
            case .name(let name): text.isEmpty ? name : text + "." + name
            }
        }
    }
}
