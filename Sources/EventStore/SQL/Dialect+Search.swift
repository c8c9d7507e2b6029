// SPDX-License-Identifier: Apache-2.0

/// Where the words of issues are looked for and written: SQLite has its own index, which cuts texts by itself; for
/// PostgreSQL they are cut here.
extension Dialect {
    /// A SELECT of the issues that have what the term says. Nil where there is nothing that could be found.
    func search(_ term: IssueQuery.Term, _ field: SearchText.Field?) -> (sql: String, values: [SQLValue])? {
        guard term.value.unicodeScalars.contains(where: SearchTokens.isPartOfWords) else { return nil }
        // Of words each issue has few rows, of phrases as many as it has texts.
        let index = KnownWords.isOne(term.value) ? "issue_words" : "issue_search"
        switch self {
        case .sqlite:
            let sql = "SELECT rowid >> \(SearchWriter.rowBits) FROM \(index) WHERE \(index) MATCH ?"
            return (sql, [.text(Self.match(term, field))])
        case .postgres:
            guard let query = SearchTokens.query(term.value, mayGoOn: !term.quoted) else { return nil }
            let sql = "SELECT s.issue_id FROM \(index) s WHERE s.words @@ CAST(? AS tsquery)"
            guard let field else { return (sql, [.text(query)]) }
            return (sql + " AND s.field = ?", [.text(query), .text(field.rawValue)])
        }
    }

    /// A full-text expression of one quoted string; a word may go on.
    private static func match(_ term: IssueQuery.Term, _ field: SearchText.Field?) -> String {
        let text = String(term.value.unicodeScalars.map { $0 == "\0" ? " " : Character($0) }).replacing(
            "\"", with: "\"\"")
        return (field.map { "{\($0.rawValue)} : " } ?? "") + "\"\(text)\"" + (term.quoted ? "" : " *")
    }
}

extension SQLConnection {
    /// Notes what an issue's texts are; those that it did not have before.
    func addTexts(_ hashes: [Int64], issue: Int64) throws(StoreError) -> Set<Int64> {
        guard !hashes.isEmpty else { return [] }
        switch dialect {
        case .sqlite:
            var added: Set<Int64> = []
            for hash in hashes {
                let count = try run(
                    "INSERT INTO issue_texts (issue_id, hash) VALUES (?, ?) ON CONFLICT DO NOTHING",
                    [.integer(issue), .integer(hash)])
                if count > 0 { added.insert(hash) }
            }
            return added
        case .postgres:
            let list = "{" + hashes.map(String.init).joined(separator: ",") + "}"
            return Set(
                try query(
                    """
                    INSERT INTO issue_texts (issue_id, hash) SELECT ?1, unnest(CAST(CAST(?2 AS TEXT) AS BIGINT[]))
                    ON CONFLICT DO NOTHING RETURNING hash
                    """, [.integer(issue), .text(list)]
                ) { $0.integer(0) })
        }
    }

    /// - Parameter number: of the issue's rows in the index.
    func index(
        _ texts: [SearchText.Field: [String]], in index: String, issue: Int64, number: Int64
    ) throws(StoreError) {
        switch dialect {
        case .sqlite:
            let columns = SearchText.Field.allCases.map { field in
                SQLValue.optional(texts[field].map { $0.joined(separator: "\n") })
            }
            try run(
                """
                INSERT INTO \(index) (rowid, title, function, file, message, tag, breadcrumb)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """, [.integer(issue << Int64(SearchWriter.rowBits) | number)] + columns)
        case .postgres:
            for (field, texts) in texts {
                try post(
                    "INSERT INTO \(index) (issue_id, field, words) VALUES (?, ?, CAST(? AS tsvector))",
                    [
                        .integer(issue), .text(field.rawValue),
                        .text(SearchTokens.vector(texts.joined(separator: "\n"))),
                    ])
            }
        }
    }
}
