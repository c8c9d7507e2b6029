// SPDX-License-Identifier: Apache-2.0

/// A query as SQL. What people wrote is bound, never part of the statement.
struct IssueConditions {
    private(set) var sql = ""
    private(set) var values: [SQLValue] = []

    init(_ query: IssueQuery, _ dialect: Dialect) {
        for property in IssueQuery.Property.allCases {
            for excluded in [false, true] {
                let terms = query.terms.filter { $0.subject == .property(property) && $0.excluded == excluded }
                if !terms.isEmpty { add(property, terms.map(\.value), excluded: excluded) }
            }
        }
        var known: Set<IssueQuery.Term> = []
        for term in query.terms where known.insert(term).inserted {
            if case .text(let field) = term.subject, let search = dialect.search(term, field) {
                add(
                    """
                    i.id IN (SELECT coalesce(m.merged_into, m.id) FROM issues m WHERE m.id IN (\(search.sql)))
                    """, search.values, excluded: term.excluded)
            }
        }
    }

    /// One of the values is enough.
    private mutating func add(_ property: IssueQuery.Property, _ texts: [String], excluded: Bool) {
        switch property {
        case .status:
            let all = texts.flatMap { $0.lowercased() == "unresolved" ? ["open", "regressed"] : [$0.lowercased()] }
            add("i.status IN (\(Self.places(all)))", all.map { .text($0) }, excluded: excluded)
        case .type, .level:
            let all = texts.map { $0.lowercased() }
            add("i.\(property.rawValue) IN (\(Self.places(all)))", all.map { .text($0) }, excluded: excluded)
        case .assignee:
            // "none" is nobody.
            let names = texts.map { $0.lowercased() == "none" ? "" : $0 }
            add(
                "lower(coalesce(i.assignee, '')) IN (\(Self.places(names, "lower(?)")))", names.map { .text($0) },
                excluded: excluded)
        case .release, .environment, .user:
            add(
                """
                EXISTS (SELECT 1 FROM issue_values v WHERE v.issue_id = i.id AND v.kind = '\(property.rawValue)'
                    AND v.value IN (\(Self.places(texts))))
                """, texts.map { .text($0) }, excluded: excluded)
        }
    }

    private mutating func add(_ condition: String, _ bound: [SQLValue], excluded: Bool) {
        sql += " AND \(excluded ? "NOT " : "")(\(condition))"
        values += bound
    }

    private static func places(_ values: [String], _ place: String = "?") -> String {
        values.map { _ in place }.joined(separator: ", ")
    }
}
