// SPDX-License-Identifier: Apache-2.0

/// The words by which issues are found. SQLite's index keeps no texts, but it tells where each of its words is.
struct MigratedWords {
    let index: String
    let source: SQLConnection
    let target: SQLConnection

    /// Rows of the index in a step.
    private static let step: Int64 = 200

    func copy(_ progress: (_ done: Int64, _ total: Int64) throws -> Void) throws {
        try prepare()
        let total = try source.first("SELECT count(*) FROM \(copied)_documents", [], { $0.integer(0) }) ?? 0
        var done = try target.first("SELECT rows FROM migration WHERE name = ?", [.text(index)], { $0.integer(0) }) ?? 0
        while done < total {
            try progress(done, total)
            try copy(after: done)
            done = min(total, done + Self.step)
        }
    }

    private var copied: String { "temp.copied_\(index)" }

    /// The index by its documents: it is read in the order of its words.
    private func prepare() throws(StoreError) {
        try source.execute(
            """
            PRAGMA temp_store = FILE;
            CREATE VIRTUAL TABLE temp.terms_of_\(index) USING fts5vocab(main, \(index), instance);
            CREATE TABLE \(copied) AS SELECT doc, col, term, "offset" AS place FROM temp.terms_of_\(index);
            CREATE INDEX \(copied)_by_document ON copied_\(index) (doc);
            CREATE TABLE \(copied)_documents AS SELECT DISTINCT doc FROM \(copied) ORDER BY doc;
            DROP TABLE temp.terms_of_\(index)
            """)
    }

    private func copy(after done: Int64) throws(StoreError) {
        let words = try source.query(
            """
            SELECT doc, col, term, coalesce(place, 0) FROM \(copied)
            WHERE doc IN (SELECT doc FROM \(copied)_documents WHERE rowid > ?1 AND rowid <= ?1 + ?2)
            """, [.integer(done), .integer(Self.step)]
        ) { (document: $0.integer(0), field: $0.text(1), word: $0.text(2), place: $0.int(3)) }
        let rows = Dictionary(grouping: words) { Place(document: $0.document, field: $0.field) }
        try target.transaction { (target) throws(StoreError) in
            for (place, words) in rows.sorted(by: { $0.key.document < $1.key.document }) {
                let vector = words.map { "'\(SearchTokens.fitting($0.word))':\($0.place + 1)" }
                try target.run(
                    "INSERT INTO \(index) (issue_id, field, words) VALUES (?, ?, CAST(? AS tsvector))",
                    [
                        .integer(place.document >> Int64(SearchWriter.rowBits)), .text(place.field),
                        .text(vector.joined(separator: " ")),
                    ])
            }
            try target.run(
                """
                INSERT INTO migration (name, rows) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET rows = excluded.rows
                """, [.text(index), .integer(done + Self.step)])
        }
    }

    private struct Place: Hashable {
        var document: Int64
        var field: String
    }
}
