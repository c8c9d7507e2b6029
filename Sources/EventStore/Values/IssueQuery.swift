// SPDX-License-Identifier: Apache-2.0

/// Which issues a list shows, and in which order.
package struct IssueQuery: Hashable, Sendable {
    package enum Sort: String, Sendable, CaseIterable {
        case lastSeen = "last_seen"
        case firstSeen = "first_seen"
        case events, users
    }

    /// What an issue has, beside its texts.
    package enum Property: String, Sendable, CaseIterable {
        case status, type, level, release, environment, user, assignee
    }

    package struct Term: Hashable, Sendable {
        package enum Subject: Hashable, Sendable {
            case property(Property)
            /// A word or phrase; nil is in any field.
            case text(SearchText.Field?)
        }

        package var subject: Subject
        package var value: String
        /// Issues that have it are left out.
        package var excluded = false
        /// In quotes: whole words, in this order.
        package var quoted = false
    }

    package static let mostTerms = 32
    package static let longest = 1000

    package var terms: [Term] = []
    package var sort: Sort

    package init(sort: Sort = .lastSeen) {
        self.sort = sort
    }

    package mutating func add(_ property: Property, _ value: String) {
        terms.append(Term(subject: .property(property), value: value))
    }

    /// Reads `word "two words" field:value field:"two words" -word -field:value`. Every text is a query: what is no field
    /// is a word.
    package mutating func add(_ text: String) {
        var rest = text[...]
        while terms.count < Self.mostTerms {
            rest = rest.drop { $0.isWhitespace }
            guard !rest.isEmpty else { return }
            let excluded = rest.first == "-" && rest.dropFirst().first.map { !$0.isWhitespace } ?? false
            if excluded { rest = rest.dropFirst() }
            let subject = Self.subject(&rest)
            let (value, quoted) = Self.value(&rest)
            terms.append(Term(subject: subject, value: value, excluded: excluded, quoted: quoted))
        }
    }

    /// `field:` where there is one, and something after it.
    private static func subject(_ rest: inout Substring) -> Term.Subject {
        let name = rest.prefix { $0.isASCII && $0.isLetter }
        let value = rest.dropFirst(name.count + 1)
        guard rest.dropFirst(name.count).first == ":", let first = value.first, !first.isWhitespace else {
            return .text(nil)
        }
        let subject: Term.Subject
        if let property = Property(rawValue: name.lowercased()) {
            subject = .property(property)
        } else if let field = SearchText.Field(rawValue: name.lowercased()) {
            subject = .text(field)
        } else {
            return .text(nil)
        }
        rest = value
        return subject
    }

    /// Up to the next space, or to the end of the quotes; quotes that do not end go on to the text's end.
    private static func value(_ rest: inout Substring) -> (String, quoted: Bool) {
        let quoted = rest.first == "\""
        if quoted { rest = rest.dropFirst() }
        let value = rest.prefix { quoted ? $0 != "\"" : !$0.isWhitespace }
        rest = rest.dropFirst(value.count + (quoted ? 1 : 0))
        return (String(value), quoted)
    }
}
