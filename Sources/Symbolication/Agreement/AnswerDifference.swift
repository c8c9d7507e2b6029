// SPDX-License-Identifier: Apache-2.0

/// How an answer differs from another symbolizer's (docs/accuracy.md has who is right, and why).
package enum AnswerDifference: String, CaseIterable, Sendable {
    case none = "same"
    /// The physical function under another symbol of the same code: `C1` and `C2`, `__GI_abort` and `abort`.
    case alias
    /// The other shows a clone's own name: `f.cold`, `f.isra.0`.
    case clone
    /// Different functions whose code the linker folded into one.
    case folded
    /// The other names a file without a line, from the symbol table's file marks; we name none.
    case guessedFile = "guessed_file"
    /// The other names code that no symbol covers by the symbol before it; we do not.
    case guessedName = "guessed_name"
    /// The other has no file or line where we have.
    case otherLacksPlace = "other_lacks_place"
    /// The other has fewer levels, and those that it has are the same.
    case otherLacksInlines = "other_lacks_inlines"
    case otherLacksName = "other_lacks_name"
    /// One file, written in two ways.
    case path
    case column
    case line
    case name
    case depth

    /// Both answers are right, or ours is.
    package var isExplained: Bool {
        switch self {
        case .path, .column, .line, .name, .depth: self == .path
        default: true
        }
    }

    package var explanation: String {
        switch self {
        case .none: "function, file, line and column are the same at every level"
        case .alias: "both right: one code, two symbols; ours is the debug information's name"
        case .clone: "both right: ours is the function, the other shows the clone's own symbol"
        case .folded: "either may be right: the linker folded equal functions into one"
        case .guessedFile: "ours: the other guesses a file, without a line, from the marks in the symbol table"
        case .guessedName: "ours: no symbol covers the address; the other takes the one before it"
        case .otherLacksPlace: "ours: the other has no line here"
        case .otherLacksInlines: "ours: the other loses inlined calls"
        case .otherLacksName: "ours: the other has no name here"
        case .path: "both right: one file, written in two ways"
        case .column: "the column differs"
        case .line: "the line or the file differs"
        case .name: "the function differs"
        case .depth: "the inlined calls differ"
        }
    }

    /// - Parameter others: the other names of the code, as the cache has them.
    package init(
        ours: [AnswerLevel], other: [AnswerLevel], aliases: [String] = [], folded: [String] = [], columns: Bool = true
    ) {
        let (ours, other) = columns ? (ours, other) : (ours.map(\.withoutColumn), other.map(\.withoutColumn))
        if ours == other {
            self = .none
        } else if ours.count != other.count {
            self = Self.isSuffix(other, of: ours) ? .otherLacksInlines : .depth
        } else {
            self = Self.first(ours, other, aliases, folded)
        }
    }

    private static func first(
        _ ours: [AnswerLevel], _ other: [AnswerLevel], _ aliases: [String], _ folded: [String]
    ) -> Self {
        for (index, pair) in zip(ours, other).enumerated() where pair.0 != pair.1 {
            let (one, two) = pair
            if one.name != two.name {
                let isPhysical = index == ours.count - 1
                let difference = names(one, two, isPhysical ? aliases : [], isPhysical ? folded : [])
                if difference != .none, one.place == two.place || difference != .alias && difference != .clone {
                    return difference
                }
            }
            if one.place != two.place { return places(one, two, isAlone: ours.count == 1) }
        }
        return .none
    }

    private static func names(_ one: AnswerLevel, _ two: AnswerLevel, _ aliases: [String], _ folded: [String]) -> Self {
        let plain = two.name.firstIndex(of: "@").map { String(two.name[..<$0]) } ?? two.name
        if plain == one.name { return .alias }
        if one.name == "??" { return .guessedName }
        if two.name == "??" { return .otherLacksName }
        if folded.contains(plain) { return .folded }
        if CloneSuffix(of: plain, shown: one.name) != nil { return .clone }
        if aliases.contains(plain) || SymbolKinship.areKin(plain, one.name) { return .alias }
        return .name
    }

    private static func places(_ one: AnswerLevel, _ two: AnswerLevel, isAlone: Bool) -> Self {
        if one.file == "??", one.line == 0, two.line == 0 { return .guessedFile }
        if two.file == "??" || two.line == 0, one.line != 0 { return .otherLacksPlace }
        if one.line == two.line, one.column == two.column {
            return one.file.split(separator: "/").last == two.file.split(separator: "/").last ? .path : .line
        }
        return one.line == two.line && one.file == two.file ? .column : .line
    }

    /// The other answer is ours without its innermost levels.
    private static func isSuffix(_ other: [AnswerLevel], of ours: [AnswerLevel]) -> Bool {
        other.count < ours.count
            && (ours.suffix(other.count).elementsEqual(other)
                || ours.suffix(other.count).map(\.name) == other.map(\.name))
    }
}

extension AnswerLevel {
    fileprivate var place: AnswerLevel { AnswerLevel(name: "", file: file, line: line, column: column) }
    fileprivate var withoutColumn: AnswerLevel { AnswerLevel(name: name, file: file, line: line, column: 0) }
}
