// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import Delivery
import FoundationEssentials
import Glibc
import ServiceClient
import VakaModel

/// `vaka submit`: sends crash records without the program that crashed.
enum SubmitCommand: Subcommand {
    static let name = "submit"
    static let manual = Manual(
        summary: "send crash records to the service",
        usage: "submit PATH… [--watch] [--keep] --url U --key K",
        explanation: """
            Sends crash records, event documents, or what a storage folder (VAKA_STORAGE) holds, without relaunching the
            program: for C, C++ and Rust programs, containers and jobs. Records found in a folder are removed
            once the service has them, and put into damaged/ when they cannot be read; files that were named stay.
            Sending the same record twice is harmless: the service stores it once.
            """,
        options: [
            Manual.Option("url", "U", "the service's address (or VAKA_URL)"),
            Manual.Option("key", "K", "the project's ingest key, vk_… (or VAKA_KEY)"),
            Manual.Option("watch", nil, "keep looking for new records, every 2 seconds, until interrupted"),
            Manual.Option("keep", nil, "do not remove what was sent"),
        ],
        examples: ["vaka submit /var/lib/app/vaka --url https://vaka.example.com --key \"$VAKA_KEY\""])

    static func run(_ options: ParsedOptions) throws {
        let paths = options.arguments
        guard !paths.isEmpty else { throw UsageError("submit: which PATH?") }
        let submitter = ReportSubmitter(
            endpoint: try UploadCommand.endpoint(options), key: try options.required("key", variable: "VAKA_KEY"),
            sdk: SDKInfo(name: "vaka-submit", version: VakaVersion.number), installID: BatchQueue.newID())
        guard options.has("watch") else {
            return try pass(paths, submitter, keep: options.has("keep"), quiet: false)
        }
        while true {
            do {
                try pass(paths, submitter, keep: options.has("keep"), quiet: true)
            } catch let failure as PartialFailure {
                Terminal.complain("vaka: \(failure.message)\n")
            }
            try StandardOutput.flush()
            sleep(2)
        }
    }

    private static func pass(_ paths: [String], _ submitter: ReportSubmitter, keep: Bool, quiet: Bool) throws {
        var found = 0
        try forEach(paths) { path in
            let reports = try PendingReports.found(at: path)
            found += reports.count
            try forEach(reports.map(\.path)) { file in
                let inFolder = reports.first { $0.path == file }?.inFolder ?? false
                try submit(file, inFolder: inFolder, keep: keep, submitter)
            }
        }
        if found == 0, !quiet { Terminal.complain("nothing to send in \(paths.joined(separator: ", "))\n") }
    }

    private static func submit(_ file: String, inFolder: Bool, keep: Bool, _ submitter: ReportSubmitter) throws {
        let event: Event
        do {
            event = try Report.read(file).event.keepingReferencedImages()
        } catch {
            if inFolder { PendingReports.setAside(file) }
            throw error
        }
        let reply = try submitter.submit(events: [event])
        if let refused = reply.rejected.first {
            throw CommandError("\(file): the service refused it: \(refused.reason) (\(refused.code))")
        }
        StandardOutput.write("sent \(event.eventID)  \(file)\n")
        if inFolder, !keep, unlink(file) != 0 {
            throw CommandError("\(file): was sent and cannot be removed: \(String(cString: strerror(errno)))")
        }
    }
}
