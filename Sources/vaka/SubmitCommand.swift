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
        usage: "submit PATH… [--watch] --url U --key K",
        explanation: """
            Sends what waits in a storage folder (VAKA_STORAGE, or a program's folder under ~/.local/state/vaka) without
            relaunching the program: for C, C++ and Rust programs, containers and jobs. The program may run meanwhile;
            with --watch, in a container that shares the folder's volume with the program's and its user, say, others may
            watch it too. Whether a program lives is told by its locks, not by its process id.
            A record is removed once the service has it, and moved to crashes/damaged when it cannot be read.
            PATH may also be a crash record, a core file or an event document: it is sent and stays where it is.
            Sending the same report twice is harmless: the service stores it once.
            """,
        options: [
            Manual.Option("url", "U", "the service's address (or VAKA_URL)"),
            Manual.Option("key", "K", "the project's ingest key, vk_… (or VAKA_KEY)"),
            Manual.Option("watch", nil, "send what comes to storage folders, as it comes, until interrupted"),
        ],
        examples: ["vaka submit /var/lib/app/vaka --url https://vaka.example.com --key \"$VAKA_KEY\""])

    private static let sdk = SDKInfo(name: "vaka-submit", version: VakaVersion.number)

    static func run(_ options: ParsedOptions) throws {
        let paths = options.arguments
        guard !paths.isEmpty else { throw UsageError("submit: which PATH?") }
        let endpoint = try UploadCommand.endpoint(options)
        let key = try options.required("key", variable: "VAKA_KEY")
        guard options.has("watch") else {
            return try forEach(paths) { try submit($0, endpoint, key) }
        }
        if let file = paths.first(where: { !isFolder($0) }) {
            throw UsageError("submit: --watch is for storage folders, and \(file) is none")
        }
        try watch(paths, endpoint, key)
    }

    /// Until interrupted, or the service refuses the key.
    private static func watch(_ paths: [String], _ endpoint: ServiceEndpoint, _ key: String) throws {
        for path in paths { _ = try StorageFolder(existing: path) }
        let notifier = FolderNotifier(paths)
        let watch = try StorageWatch(folders: paths, endpoint: endpoint, key: key, sdk: sdk) {
            Terminal.complain("vaka: \($0)\n")
        }
        while true {
            let round = try watch.round()
            for event in round.delivered { StandardOutput.write("sent \(event.eventID)\n") }
            try StandardOutput.flush()
            if round.hasFailed { sleep(2) } else { notifier.wait(atMost: round.wait) }
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    private static func submit(_ path: String, _ endpoint: ServiceEndpoint, _ key: String) throws {
        guard isFolder(path) else { return try submitReport(path, endpoint, key) }
        try checkIsStorage(path)
        let storage = StorageSubmitter(endpoint: endpoint, key: key, sdk: sdk, retry: PatientRetry.policy)
        let summary = try storage.submit(storage: path)
        for event in summary.events { StandardOutput.write("sent \(event.eventID)\n") }
        if summary.waitingBatches > 0 {
            Terminal.complain("\(path): another process is sending \(summary.waitingBatches) batches from there\n")
        }
        if summary.deliveredBatches == 0, summary.waitingBatches == 0 {
            Terminal.complain("\(path): nothing waits there\n")
        }
    }

    /// A folder of loose records (a storage folder's crashes/, say) would become a storage folder in which nothing waits.
    private static func checkIsStorage(_ path: String) throws {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        guard !names.contains("crashes"), names.contains(where: { $0.hasSuffix(".vakacrash") }) else { return }
        throw CommandError(
            "\(path): holds crash records, but is no storage folder (it has no crashes/); "
                + "name the folder above it, or the records: \(path)/*.vakacrash")
    }

    private static func submitReport(_ path: String, _ endpoint: ServiceEndpoint, _ key: String) throws {
        let event = try Report.read(path).event.keepingReferencedImages()
        let submitter = ReportSubmitter(
            endpoint: endpoint, key: key, sdk: sdk, installID: BatchQueue.newID(), retry: PatientRetry.policy)
        let reply = try submitter.submit(events: [event])
        if let refused = reply.rejected.first {
            throw CommandError("\(path): the service refused it: \(refused.reason) (\(refused.code))")
        }
        StandardOutput.write("sent \(event.eventID)  \(path)\n")
    }
}
