// SPDX-License-Identifier: Apache-2.0
@_spi(_Unicode) import Swift

/// Words of texts, cut and made alike as SQLite's tokenizer does it (unicode61), for PostgreSQL, whose own parsers take
/// paths and names of functions as a whole.
enum SearchTokens {
    /// Scalars of a word; PostgreSQL takes 2 KB.
    private static let longest = 400

    /// In small letters, without diacritics.
    static func words(_ text: String) -> [String] {
        var (words, word): ([String], String.UnicodeScalarView) = ([], .init())
        func end() {
            if !word.isEmpty { words.append(String(word)) }
            word = .init()
        }
        for scalar in text._nfd where scalar.properties.generalCategory != .nonspacingMark {
            guard isPartOfWords(scalar) else {
                end()
                continue
            }
            if word.count < longest { word.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars) }
        }
        end()
        return words
    }

    static func fitting(_ word: String) -> String {
        String(String.UnicodeScalarView(word.unicodeScalars.prefix(longest)))
    }

    /// Letters, numbers and private use.
    static func isPartOfWords(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }

    /// As a tsvector is written: words with their places.
    static func vector(_ text: String) -> String {
        words(text).enumerated().map { "'\($1)':\($0 + 1)" }.joined(separator: " ")
    }

    /// As a tsquery is written: the words one after the other, of which the last may go on. Nil where there are none.
    static func query(_ text: String, mayGoOn: Bool) -> String? {
        let words = words(text)
        guard !words.isEmpty else { return nil }
        return words.map { "'\($0)'" }.joined(separator: " <-> ") + (mayGoOn ? ":*" : "")
    }
}
