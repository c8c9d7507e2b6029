// SPDX-License-Identifier: Apache-2.0

/// Splits and cuts demangled names at bracket depth zero.
struct BracketScanner {
    private let characters: [Character]

    init(_ text: some StringProtocol) {
        characters = Array(text)
    }

    /// `<` opens a bracket only after a name, and `>` does not close one in `->`: operators are names too.
    private func depths() -> [Int] {
        var depth = 0
        var angles = 0
        return characters.indices.map { index in
            let character = characters[index]
            let previous = index > 0 ? characters[index - 1] : " "
            switch character {
            case "(", "[", "{":
                depth += 1
                return depth - 1
            case ")", "]", "}":
                depth = max(0, depth - 1)
                return depth
            case "<" where isName(previous) && !isOperator(before: index):
                angles += 1
                depth += 1
                return depth - 1
            case ">" where angles > 0 && previous != "-":
                angles -= 1
                depth = max(0, depth - 1)
                return depth
            default:
                return depth
            }
        }
    }

    private func isName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == ":" || character == ")"
    }

    /// C++'s `operator<`, `operator<<`.
    private func isOperator(before index: Int) -> Bool {
        index >= 8 && String(characters[(index - 8)..<index]) == "operator"
    }

    /// The first place of `separator` at depth zero, from `start`.
    func first(_ separator: String, from start: Int = 0) -> Int? {
        places(of: separator).first { $0 >= start }
    }

    /// Every place of `separator` at depth zero.
    func places(of separator: String) -> [Int] {
        let wanted = Array(separator)
        guard !wanted.isEmpty, characters.count >= wanted.count else { return [] }
        let depth = depths()
        return (0...(characters.count - wanted.count)).filter { index in
            depth[index] == 0 && characters[index] == wanted[0]
                && characters[index..<(index + wanted.count)].elementsEqual(wanted)
        }
    }

    func split(_ separator: String) -> [String] {
        var parts: [String] = []
        var start = 0
        for place in places(of: separator) where place >= start {
            parts.append(String(characters[start..<place]))
            start = place + separator.count
        }
        parts.append(String(characters[start...]))
        return parts
    }

    /// Without everything in angle brackets, which hold generic arguments.
    func withoutAngles() -> String {
        var result: [Character] = []
        var angles = 0
        for (index, character) in characters.enumerated() {
            let previous = index > 0 ? characters[index - 1] : " "
            if character == "<", isName(previous), !isOperator(before: index) {
                angles += 1
            } else if character == ">", angles > 0, previous != "-" {
                angles -= 1
            } else if angles == 0 {
                result.append(character)
            }
        }
        return String(result)
    }

    /// What stands before place `end`.
    func prefix(_ end: Int) -> String { String(characters[..<end]) }
    /// What stands from place `start` on.
    func suffix(from start: Int) -> String { String(characters[start...]) }

    /// The place that closes the bracket opened at `open`.
    func closing(of open: Int) -> Int? {
        let depth = depths()
        return characters.indices.first { $0 > open && depth[$0] == depth[open] && ")]}>".contains(characters[$0]) }
    }
}
