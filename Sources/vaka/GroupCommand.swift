// SPDX-License-Identifier: Apache-2.0
import DebugImages
import EventText
import FoundationEssentials
import Grouping
import Symbolication
import VakaModel

/// `vaka group explain`: which issue a report would fall into, and why.
enum GroupCommand: Subcommand {
    static let name = "group"
    static let manual = Manual(
        summary: "explain how a report would be grouped",
        usage: "group explain [--symbols PATH]… [--no-system] [--debuginfod URL]… [--format text|json] REPORT…",
        explanation: """
            Prints the grouping keys of a report, and for each frame why it was kept or dropped: what the service does.
            A crash record is unwound and symbolicated first; an event document is taken as it is.
            """,
        options: [
            Manual.Option("symbols", "PATH", "a debug image, or a folder searched for them; may be repeated"),
            Manual.Option("no-system", nil, "use nothing but --symbols and --debuginfod"),
            DebuginfodOption.manual,
            Manual.Option("format", "text|json", "how to print; text when not given"),
        ],
        examples: ["vaka group explain crashes/*.vakacrash"])

    static func run(_ options: ParsedOptions) throws {
        guard options.arguments.first == "explain" else { throw UsageError("group: what? \"group explain REPORT…\"") }
        let paths = Array(options.arguments.dropFirst())
        guard !paths.isEmpty else { throw UsageError("group explain: which REPORT?") }
        let json = try options.wantsJSON()
        var reading = try ReportReading(paths, options)
        let outcome = try reading.run { finder in
            let symbolicator = Symbolicator(finder: finder)
            return { report, _ in
                let event = isDocument(report) ? report.event : symbolicator.symbolicate(report.event)
                let result = Grouping.group(event)
                return json ? try document(result) : text(result)
            }
        }
        StandardOutput.write(outcome.output)
        if let failure = outcome.failure { throw PartialFailure(message: failure) }
    }

    private static func isDocument(_ report: Report) -> Bool {
        if case .document = report { true } else { false }
    }

    private static func document(_ result: GroupingResult) throws -> String {
        String(decoding: try ModelCoding.encode(result, pretty: true), as: UTF8.self) + "\n"
    }

    private static func text(_ result: GroupingResult) -> String {
        var lines = [Terminal.bold(ReportText.printable(result.title))]
        if let culprit = result.culprit { lines.append("in \(ReportText.printable(culprit))") }
        for key in result.keys {
            lines.append("key \(key.kind)  \(key.value)")
            lines += key.material.map { Terminal.dim("    \(ReportText.printable($0))") }
        }
        for frame in result.explain {
            let mark = frame.kept ? "kept   " : "dropped"
            let name = ReportText.printable(frame.function)
            lines.append(
                "\(String(frame.index).padded(to: 3)) \(mark)  \(name)  \(Terminal.dim("[\(frame.rule)] \(frame.why)"))"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
