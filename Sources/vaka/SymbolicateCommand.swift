// SPDX-License-Identifier: Apache-2.0
import DebugImages
import EventText
import FoundationEssentials
import SourceBundles
import Symbolication
import VakaModel

/// `vaka symbolicate`: from a report to functions, files and lines, without a server.
enum SymbolicateCommand: Subcommand {
    static let name = "symbolicate"
    static let manual = Manual(
        summary: "turn crash records and reports into functions, files and lines",
        usage:
            "symbolicate [--symbols PATH]… [--no-system] [--debuginfod URL]… [--source-root DIR]… [--cache DIR|--no-cache]"
            + " [--format text|json] [--output F] REPORT…",
        explanation: """
            Unwinds and symbolicates offline. REPORT is a crash record (.vakacrash), an ELF core file or an event document (JSON).
            Debug images are found by build id: in --symbols first, then, unless --no-system is given, at the path
            the report names and in /usr/lib/debug, where the file's build id matches.

            \(DebuginfodOption.explanation)

            The lines around each frame of the program's own are shown: from source bundles (BUILDID.sources.zip, as
            vaka bundle makes them) in --symbols, else from source files of this machine that are those that were
            compiled, as far as checksums and times tell. Source files are read below --source-root only.
            """,
        options: [
            Manual.Option("symbols", "PATH", "a debug image, or a folder searched for them; may be repeated"),
            Manual.Option(
                "no-system", nil, "use nothing but --symbols, --debuginfod, --source-root and --source-map"),
            DebuginfodOption.manual,
            Manual.Option("cache", "DIR", "the folder of symbol caches; ~/.cache/vaka when not given"),
            Manual.Option("no-cache", nil, "use no symbol caches"),
            Manual.Option("format", "text|json", "how to print; text when not given"),
            Manual.Option("output", "F", "write to this file, not to standard output"),
        ] + SourceOptions.options,
        examples: [
            "vaka symbolicate crashes/*.vakacrash",
            "vaka symbolicate --symbols build/debug --format json report.json",
        ])

    static func run(_ options: ParsedOptions) throws {
        guard !options.arguments.isEmpty else { throw UsageError("symbolicate: which REPORT?") }
        let json = try options.wantsJSON()
        var reading = try ReportReading(options.arguments, options)
        let sources = try sources(options)
        let caches = try CacheOptions.folder(options)
        let outcome = try reading.run { finder in
            let symbolicator = Symbolicator(finder: finder, sources: sources, options: .init(caches: caches))
            return { report, _ in
                let event = symbolicator.symbolicate(report.event).withoutMemory
                return json ? try document(event) : ReportText(event, style: Terminal.style).text
            }
        }
        try write(outcome.output, to: options.value("output"))
        if let failure = outcome.failure { throw PartialFailure(message: failure) }
    }

    private static func sources(_ options: ParsedOptions) throws -> SourceLookup? {
        let folders = try SourceOptions.folders(options, usesCurrent: !options.has("no-system"))
        // With nothing to look in there is nothing to miss.
        if folders.isEmpty, options.all("symbols").isEmpty { return nil }
        return SourceLookup(bundles: SourceBundleFinder(symbolPaths: options.all("symbols")), folders: folders)
    }

    private static func document(_ event: Event) throws -> String {
        String(decoding: try ModelCoding.encode(event, pretty: true), as: UTF8.self) + "\n"
    }

    private static func write(_ text: String, to path: String?) throws {
        guard let path else { return StandardOutput.write(text) }
        guard !text.isEmpty else { return }
        do {
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw CommandError("\(path): cannot be written: \(systemMessage(error))")
        }
    }
}
