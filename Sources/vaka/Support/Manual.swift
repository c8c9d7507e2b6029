// SPDX-License-Identifier: Apache-2.0

/// What `--help` says of a subcommand; its options are parsed from the same words.
struct Manual {
    struct Option {
        var name: String
        /// The name of its value; nil for a switch.
        var value: String?
        var help: String
        /// Its short form, such as `o` for `-o`.
        var letter: Character?

        init(_ name: String, _ value: String? = nil, _ help: String, letter: Character? = nil) {
            self.name = name
            self.value = value
            self.help = help
            self.letter = letter
        }

        /// Whether it is what getopt found.
        func isLetter(_ found: Int32) -> Bool { letter?.asciiValue.map { Int32($0) == found } ?? false }
    }

    var summary: String
    var usage: String
    var explanation: String
    var options: [Option]
    var examples: [String]

    var text: String {
        let all = options + [Option("help", nil, "say this")]
        let heads = all.map { option in
            (option.letter.map { "-\($0), " } ?? "") + "--\(option.name)" + (option.value.map { " \($0)" } ?? "")
        }
        let width = (heads.map(\.count).max() ?? 0) + 2
        let lines = zip(heads, all).map { head, option in
            let rows = option.help.split(separator: "\n", omittingEmptySubsequences: false)
            let gap = String(repeating: " ", count: width - head.count)
            let rest = rows.dropFirst().map { "\n" + String(repeating: " ", count: width + 2) + $0 }.joined()
            return "  \(head)\(gap)\(rows.first ?? "")\(rest)\n"
        }.joined()
        let shown = examples.isEmpty ? "" : "\nExamples:\n" + examples.map { "  \($0)\n" }.joined()
        return "usage: vaka \(usage)\n\n\(explanation)\n\nOptions:\n\(lines)\(shown)"
    }
}
