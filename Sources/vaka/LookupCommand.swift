// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import Symbolication
import VakaModel

/// `vaka lookup`: addresses to functions and lines, for people and for scripts that know llvm-symbolizer.
enum LookupCommand: Subcommand {
    static let name = "lookup"
    static let manual = Manual(
        summary: "look addresses of one ELF file up",
        usage:
            "lookup --debug-file F [--inlines|--no-inlines] [--relative] [--no-demangle] [--format text|json]"
            + " [--cache DIR|--no-cache] [--check N] [ADDR…]",
        explanation: """
            Looks up addresses as linked in the ELF file (hexadecimal, with or without 0x), exactly as they are: subtract
            one from a return address yourself. Of a stripped file the debug file is read that its .gnu_debuglink names,
            or that /usr/lib/debug has by its build id. Without ADDR they are read from standard input, one a line, each answered
            before the next is read. Text has the shape of llvm-symbolizer's output: function, then file:line:column,
            innermost first, and a blank line after each address. JSON is one line an address.

            A few addresses are answered from the parts of the file that hold them. A run over many reads the whole file
            and keeps what it learnt as a symbol cache, in DIR or in ~/.cache/vaka ($XDG_CACHE_HOME/vaka), from which
            later runs answer at once. The answers are the same.

            --check compares the answers to N random addresses of the code with those of llvm-symbolizer and addr2line,
            where these are installed, and says of each kind of difference who is right.
            """,
        options: [
            Manual.Option("debug-file", "F", "the ELF file with the debug information"),
            Manual.Option("inlines", nil, "show inlined functions too (this is so when not given)"),
            Manual.Option("no-inlines", nil, "show the innermost place only"),
            Manual.Option("relative", nil, "addresses count from the file's first loaded byte"),
            Manual.Option("no-demangle", nil, "show linkage names"),
            Manual.Option("format", "text|json", "how to print; text when not given"),
            Manual.Option("cache", "DIR", "the folder of symbol caches"),
            Manual.Option("no-cache", nil, "neither use nor keep symbol caches"),
            Manual.Option("check", "N", "compare the answers to N random addresses with other symbolizers"),
        ],
        examples: [
            "vaka lookup --debug-file build/program 0x1139 0x1150", "nm -n program | vaka lookup --debug-file program",
            "vaka lookup --debug-file build/program --check 20000",
        ])

    static func run(_ options: ParsedOptions) throws {
        guard let path = options.value("debug-file") else { throw UsageError("lookup: --debug-file F is missing") }
        if let count = options.value("check") {
            let file = try DebugFile(path: SeparateDebugFile.path(for: path), caches: try CacheOptions.folder(options))
            return try LookupCheck(file: file, count: count, json: try options.wantsJSON()).run()
        }
        _ = try LimitedChild.run { child in
            child.activity?.reads(path)
            let found = try SeparateDebugFile.path(for: path)
            if found != path { child.activity?.reads(found) }
            try answer(options, path: found, goesOn: child.goesOn)
            return Data()
        }
    }

    /// After so many answers the work is told to go on.
    private static let stretch = 256

    private static func answer(_ options: ParsedOptions, path: String, goesOn: () -> Void) throws {
        let file = try DebugFile(path: path, caches: try CacheOptions.folder(options))
        var printer = LookupPrinter(
            file: file, inlines: !options.has("no-inlines"), relative: options.has("relative"),
            demangle: !options.has("no-demangle"), json: try options.wantsJSON())
        if options.arguments.isEmpty {
            var lines = InputLines()
            var answers = 0
            while let line = lines.next() {
                try printer.answer(line)
                answers += 1
                if answers % stretch == 0 { goesOn() }
                if lines.mustWait {
                    printer.write()
                    try StandardOutput.flush()
                }
            }
        } else {
            for word in options.arguments { try printer.answer(Array(word.utf8)[...]) }
        }
        printer.write()
        try StandardOutput.flush()
        file.keepCache()
        if let first = printer.refused.first {
            throw PartialFailure(
                message: "\"\(first)\" is no hexadecimal address"
                    + (printer.refusedCount > 1 ? ", nor are \(printer.refusedCount - 1) others" : ""))
        }
    }
}
