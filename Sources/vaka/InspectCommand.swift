// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import EventText
import FoundationEssentials
import VakaModel

/// `vaka inspect`: the record as it was captured.
enum InspectCommand: Subcommand {
    static let name = "inspect"
    static let manual = Manual(
        summary: "show a crash record as it was captured, section by section",
        usage: "inspect [--format text|json] REPORT…",
        explanation: """
            Shows what the handler wrote: each section with its place in the file, and what is damaged.
            Nothing is unwound or symbolicated; vaka symbolicate does that. An event document (JSON, such as the service
            gives) is shown as text, as it stands. REPORT may be - for standard input.
            """,
        options: [Manual.Option("format", "text|json", "how to print; text when not given")],
        examples: ["vaka inspect /var/lib/app/vaka/crashes/*.vakacrash"])

    static func run(_ options: ParsedOptions) throws {
        guard !options.arguments.isEmpty else { throw UsageError("inspect: which REPORT?") }
        let json = try options.wantsJSON()
        try forEach(options.arguments) { path in
            let report = try Report.read(path)
            guard case .record(let file) = report else {
                let event = report.event.withoutMemory
                return StandardOutput.write(json ? try self.json(event) : ReportText(event, style: Terminal.style).text)
            }
            let inspection = RecordInspection(file)
            StandardOutput.write(json ? try self.json(inspection) : text(inspection, path: path))
        }
    }

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try ModelCoding.encode(value, pretty: true), as: UTF8.self) + "\n"
    }

    private static func text(_ inspection: RecordInspection, path: String) -> String {
        var lines = [
            Terminal.bold(path),
            "record \(inspection.recordID ?? "of unknown id"), format \(inspection.format), \(inspection.bytes) bytes, "
                + (inspection.complete ? "complete" : "not complete"),
        ]
        for section in inspection.sections {
            lines.append("")
            lines.append(
                Terminal.bold("[\(section.sequence)] \(section.name)")
                    + Terminal.dim("  offset \(section.offset), \(section.bytes) bytes"))
            lines += section.lines.map { "    \(ReportText.printable($0))" }
        }
        for damage in inspection.damage {
            lines.append(Terminal.red("damage: ") + "\(damage.bytes) bytes at offset \(damage.offset): \(damage.why)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
