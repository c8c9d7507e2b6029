// SPDX-License-Identifier: Apache-2.0
import CoreFile
import DebugImages
import FoundationEssentials
import VakaModel

/// `vaka core`: a report as a core file, for gdb and lldb.
enum CoreCommand: Subcommand {
    static let name = "core"
    static let manual = Manual(
        summary: "write a crash record or report as an ELF core file for gdb and lldb",
        usage: "core REPORT -o F [--symbols PATH]… [--no-system] [--debuginfod URL]…",
        explanation: """
            Writes a core file with the threads, their registers, the captured memory and the mapped files of a report.
            REPORT is a crash record (.vakacrash), an ELF core file or an event document (JSON) that still has its memory.
            Images are found as symbolicate finds them; those without a file are told of, as a debugger cannot know them.
            What was not captured is not there: stacks end where the captured part does, and variables outside of the
            captured memory show what the image's file has, not what they were.
            """,
        options: [
            Manual.Option("output", "F", "the core file to write", letter: "o"),
            Manual.Option("symbols", "PATH", "an image, or a folder searched for them; may be repeated"),
            Manual.Option("no-system", nil, "use nothing but --symbols and --debuginfod"),
            DebuginfodOption.manual,
        ],
        examples: ["vaka core crashes/1f.vakacrash -o core && gdb program core -ex bt"])

    static func run(_ options: ParsedOptions) throws {
        guard options.arguments.count == 1, let path = options.arguments.first else {
            throw UsageError("core: which REPORT? One")
        }
        guard let output = options.value("output"), !output.isEmpty else {
            throw UsageError("core: where to? -o F is missing")
        }
        var reading = try ReportReading([path], options)
        let outcome = try reading.run { finder in
            { report, path in
                let event = report.event
                let core = try writer(event, path: path, finder)
                tell(core, of: event)
                try core.write(to: output)
                return ""
            }
        }
        if let failure = outcome.failure { throw PartialFailure(message: failure) }
    }

    private static func writer(_ event: Event, path: String, _ finder: ImageFinder) throws -> CoreWriter {
        let machine = event.arch.flatMap(ELFIdentifier.machine(named:))
        let file: (DebugImage) -> String? = { finder.find($0, machine: machine).codePath }
        do {
            return try CoreWriter(event: event, file: file)
        } catch {
            throw CommandError("\(path): \(error.message)")
        }
    }

    private static func tell(_ core: CoreWriter, of event: Event) {
        for image in core.missingImages {
            let build = image.buildID.map { ", build id \($0)" } ?? ""
            Terminal.complain("no file of \(image.codeFile ?? "an image")\(build): name it with --symbols\n")
        }
        if core.threadsLeftOut > 0 {
            Terminal.complain("threads left out, as it is not known where they were: \(core.threadsLeftOut)\n")
        }
        if event.threads.contains(where: { $0.pointersOnly == true }) {
            Terminal.complain(
                "of registers and stacks the report has pointers only: the rest is 0 in registers, 0xfe in stacks\n")
        }
        if event.threads.allSatisfy({ $0.stack == nil }) {
            Terminal.complain("the report has no memory of stacks: debuggers show each thread's innermost frame only\n")
        }
    }
}
