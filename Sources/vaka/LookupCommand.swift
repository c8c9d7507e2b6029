// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Glibc
import Symbolication
import VakaModel

/// `vaka lookup`: addresses to functions and lines, for people and for scripts that know llvm-symbolizer.
enum LookupCommand: Subcommand {
    static let name = "lookup"
    static let manual = Manual(
        summary: "look addresses of one ELF file up",
        usage:
            "lookup --debug-file F [--inlines|--no-inlines] [--relative] [--no-demangle] [--format text|json] [ADDR…]",
        explanation: """
            Looks up addresses as linked in the ELF file (hexadecimal, with or without 0x), exactly as they are: subtract
            one from a return address yourself. Without ADDR they are read from standard input, one a line, each answered
            before the next is read. Text has the shape of llvm-symbolizer's output: function, then file:line:column,
            innermost first, and a blank line after each address. JSON is one line an address.
            """,
        options: [
            Manual.Option("debug-file", "F", "the ELF file with the debug information"),
            Manual.Option("inlines", nil, "show inlined functions too (this is so when not given)"),
            Manual.Option("no-inlines", nil, "show the innermost place only"),
            Manual.Option("relative", nil, "addresses count from the file's first loaded byte"),
            Manual.Option("no-demangle", nil, "show linkage names"),
            Manual.Option("format", "text|json", "how to print; text when not given"),
        ],
        examples: [
            "vaka lookup --debug-file build/program 0x1139 0x1150", "nm -n program | vaka lookup --debug-file program",
        ])

    static func run(_ options: ParsedOptions) throws {
        guard let path = options.value("debug-file") else { throw UsageError("lookup: --debug-file F is missing") }
        let file = try DebugFile(path: path)
        let printer = Printer(
            file: file, inlines: !options.has("no-inlines"), relative: options.has("relative"),
            renderer: LookupRenderer(demangle: !options.has("no-demangle")), json: try options.wantsJSON())
        var refused: [String] = []
        if options.arguments.isEmpty {
            while let line = readLine() {
                try printer.answer(line, refused: &refused)
                try StandardOutput.flush()
            }
        } else {
            for word in options.arguments { try printer.answer(word, refused: &refused) }
        }
        if let first = refused.first {
            throw PartialFailure(
                message: "\"\(first)\" is no hexadecimal address"
                    + (refused.count > 1 ? ", nor are \(refused.count - 1) others" : ""))
        }
    }

    /// Answers one address after the other.
    private struct Printer {
        let file: DebugFile
        let inlines: Bool
        let relative: Bool
        let renderer: LookupRenderer
        let json: Bool

        /// A word that is no address gets an answer too, so that answers and questions stay in step.
        func answer(_ text: String, refused: inout [String]) throws {
            let word = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
            let given = HexAddress(hex: word)
            if given == nil { refused.append(word) }
            let linked = given.flatMap(linkedAddress)
            let frames = linked.map { file.lookup(address: $0, inlines: inlines) } ?? []
            if json {
                StandardOutput.write(try renderer.json(address: given?.rawValue ?? 0, frames) + "\n")
            } else {
                StandardOutput.write(renderer.text(frames))
            }
        }

        private func linkedAddress(_ address: HexAddress) -> UInt64? {
            guard relative else { return address.rawValue }
            let (sum, overflow) = address.rawValue.addingReportingOverflow(file.identity.firstLoadAddress)
            return overflow ? nil : sum
        }
    }
}
