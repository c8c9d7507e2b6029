// SPDX-License-Identifier: Apache-2.0

/// A pattern that is looked for in a time bounded by the text's length: it is read from left to right and never goes back
/// over what it has taken, but for one thing: a class that is repeated before a byte gives back up to the last such byte.
///
/// The language is a part of what regular expressions have, over bytes: `abc`, `[a-z]`, `[^"]`, `.`, `\d`, `\w`, `\s`,
/// `\xHH` and escaped marks; `?`, `*`, `+`, `{m,n}` behind a byte or a class; `(?:a|b)` for choices between texts, of which
/// the first that fits is taken, with `?` behind it or not; `(?<![…])` and `(?![…])` for what must not stand before or
/// behind; `(?until:text)` for all up to the end of that text, or of the whole; `(?i)` in front for letters of either case.
/// `(…)` marks what is taken out; without it everything is.
package struct ScrubPattern: Hashable, Sendable {
    indirect enum Element: Hashable, Sendable {
        case one(ByteSet)
        case many(ByteSet, least: Int, most: Int, giveBack: UInt8?)
        case choice([[ByteSet]], isOptional: Bool)
        case notBefore(ByteSet)
        case notBehind(ByteSet)
        case until([ByteSet])
        case open
        case close
    }

    package static let longest = 500
    let elements: [Element]

    /// Throws what is wrong and where.
    package init(_ text: String) throws(ScrubPatternError) {
        var reader = ScrubPatternReader(text)
        elements = try reader.read()
    }
}

/// A pattern cannot be read.
package struct ScrubPatternError: Error, CustomStringConvertible {
    /// In bytes from the pattern's start.
    package var offset: Int
    package var problem: String

    package var description: String { "\(problem), at byte \(offset)" }
}
