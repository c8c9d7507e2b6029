// SPDX-License-Identifier: Apache-2.0

/// Makes issues searchable, inside a transaction that its caller holds.
///
/// Most events of an issue say what earlier ones said: only what is new for the issue is indexed; texts for phrases in one
/// index, words in another.
struct SearchWriter {
    /// Rows of an issue in the index have numbers of their own: the issue's, shifted, and a count.
    static let rowBits = 20
    /// Of one issue: so many events may bring something new.
    private static let mostRows = 1000

    let connection: SQLConnection

    func add(_ texts: [SearchText], to issue: Int64) throws(StoreError) {
        let known = try connection.first("SELECT texts FROM issues WHERE id = ?", [.integer(issue)]) { $0.integer(0) }
        guard let number = known, number < Self.mostRows else { return }
        var fresh: [SearchText.Field: [String]] = [:]
        let said = texts.filter { !$0.text.isEmpty }
        var new = try connection.addTexts(said.map(\.hash), issue: issue)
        for text in said where new.remove(text.hash) != nil {
            fresh[text.field, default: []].append(text.text)
        }
        guard !fresh.isEmpty else { return }
        try connection.index(fresh, in: "issue_search", issue: issue, number: number)
        var vocabulary = try KnownWords(connection, issue: issue)
        let words = fresh.reduce(into: [SearchText.Field: [String]]()) { words, texts in
            let new = texts.value.flatMap { vocabulary.takeNew(SearchText(texts.key, $0)) }
            if !new.isEmpty { words[texts.key] = new.map(String.init) }
        }
        if !words.isEmpty { try connection.index(words, in: "issue_words", issue: issue, number: number) }
        try vocabulary.save(connection, issue: issue)
        try connection.post("UPDATE issues SET texts = texts + 1 WHERE id = ?", [.integer(issue)])
    }
}
