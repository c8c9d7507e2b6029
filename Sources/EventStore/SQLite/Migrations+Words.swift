// SPDX-License-Identifier: Apache-2.0

extension Migrations {
    /// Each word once for an issue, so that a search for a word of every event reads as many rows as there are issues. Phrases
    /// are found by `issue_search`. What was indexed before gets the row after the last one that `SearchWriter` gives.
    static let words = """
        CREATE VIRTUAL TABLE issue_words USING fts5(
            title, function, file, message, tag, breadcrumb, content = '', columnsize = 0, detail = column,
            tokenize = 'unicode61 remove_diacritics 2');
        CREATE TABLE issue_known_words (
            issue_id INTEGER PRIMARY KEY REFERENCES issues(id) ON DELETE CASCADE, hashes BLOB NOT NULL);
        CREATE VIRTUAL TABLE issue_search_terms USING fts5vocab(issue_search, instance);
        INSERT INTO issue_words (rowid, title, function, file, message, tag, breadcrumb)
        SELECT issue << 20 | 0xfffff, \(columns)
        FROM (SELECT DISTINCT doc >> 20 AS issue, col, term FROM issue_search_terms) GROUP BY issue;
        DROP TABLE issue_search_terms;
        """

    private static let columns = ["title", "function", "file", "message", "tag", "breadcrumb"]
        .map { "group_concat(CASE col WHEN '\($0)' THEN term END, ' ')" }.joined(separator: ", ")
}
