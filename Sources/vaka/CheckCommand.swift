// SPDX-License-Identifier: Apache-2.0
import DebugImages
import VakaModel

/// `vaka check`: what ELF files can give a crash report.
enum CheckCommand: Subcommand {
    static let name = "check"
    static let manual = Manual(
        summary: "say what an ELF file can give a crash report, and what is missing",
        usage: "check [--format text|json] F…",
        explanation: """
            Says for each ELF file whether it has a build id, symbols, DWARF (which versions, from which compilers, and which
            parts are in files that are not there), what share of its code has lines and unwind tables, whether its source is
            here, and for what is missing the command or option that would mend it. The whole file is read. One that cannot
            be read as ELF makes the exit status 1; one that merely lacks something does not.
            """,
        options: [Manual.Option("format", "text|json", "how to print; text when not given, JSON is one object a line")],
        examples: ["vaka check .build/release/server /usr/lib/x86_64-linux-gnu/libc.so.6"])

    static func run(_ options: ParsedOptions) throws {
        guard !options.arguments.isEmpty else { throw UsageError("check: which F?") }
        let json = try options.wantsJSON()
        try forEach(options.arguments) { path in
            let check = try check(path)
            if json {
                StandardOutput.write(String(decoding: try ModelCoding.encode(check), as: UTF8.self) + "\n")
            } else if check.error == nil {
                StandardOutput.write(check.text + "\n")
            }
            if let failure = check.error { throw CommandError("\(path): \(failure.message)") }
        }
    }

    /// A file that ends its reader gets an answer, too.
    private static func check(_ path: String) throws -> ImageCheck {
        do {
            let data = try LimitedChild.run { child in
                child.activity?.reads(path)
                return try ModelCoding.encode(ImageCheck(path: path))
            }
            return try ModelCoding.decode(ImageCheck.self, from: data)
        } catch let death as LimitedChild.Death {
            return ImageCheck(path: path, failure: .init(code: .malformed, message: death.advice))
        }
    }
}
