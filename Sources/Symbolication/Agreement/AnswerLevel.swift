// SPDX-License-Identifier: Apache-2.0

/// One level of an answer, as symbolizers print them: a name and a place.
package struct AnswerLevel: Hashable, Sendable, CustomStringConvertible {
    /// `??` where none is known.
    package var name: String
    package var file: String
    package var line: Int
    package var column: Int

    package init(name: String, file: String, line: Int, column: Int) {
        (self.name, self.file, self.line, self.column) = (name, file, line, column)
    }

    package init(_ frame: LookupFrame) {
        self.init(
            name: frame.symbol ?? "??", file: frame.file ?? "??", line: frame.line ?? 0, column: frame.column ?? 0)
    }

    package var description: String { "\(name) at \(file):\(line):\(column)" }

    /// Reads what `llvm-symbolizer` or `addr2line` prints: a name and `file:line[:column]` in turn, an empty line after
    /// each address.
    package static func parse(_ text: String, hasColumns: Bool) -> [[AnswerLevel]] {
        var answers: [[AnswerLevel]] = []
        var levels: [AnswerLevel] = []
        var name: Substring?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let waiting = name {
                levels.append(level(waiting, line, hasColumns: hasColumns))
                name = nil
            } else if line.isEmpty {
                if !levels.isEmpty { answers.append(levels) }
                levels = []
            } else {
                name = line
            }
        }
        if !levels.isEmpty { answers.append(levels) }
        return answers
    }

    private static func level(_ name: Substring, _ place: Substring, hasColumns: Bool) -> AnswerLevel {
        var rest = place
        // addr2line: "file:12 (discriminator 3)", "file:?".
        if let space = rest.range(of: " (discriminator") { rest = rest[..<space.lowerBound] }
        let column = hasColumns ? number(&rest) : 0
        let line = number(&rest)
        return AnswerLevel(name: String(name), file: String(rest), line: line, column: column)
    }

    private static func number(_ text: inout Substring) -> Int {
        guard let colon = text.lastIndex(of: ":") else { return 0 }
        let digits = text[text.index(after: colon)...]
        text = text[..<colon]
        return Int(digits) ?? 0
    }
}

extension Substring {
    fileprivate func range(of part: String) -> Range<Index>? { firstRange(of: part) }
}
