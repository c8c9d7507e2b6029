// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import Glibc
import ServiceClient
import Supervision
import VakaModel

/// `vaka run`: runs a program, and tells how it ended.
enum RunCommand: Subcommand {
    static let name = "run"
    static let manual = Manual(
        summary: "run a program, and send how it crashed or was killed",
        usage: "run [OPTION]… -- COMMAND [ARGUMENT]…",
        explanation: """
            Runs a program that knows nothing of Vaka, with libvakacrash.so preloaded. Its standard error passes
            through a pipe, or a terminal of its own where it is one, unchanged; its last lines (200, or 64 KiB) become
            breadcrumbs of the category "stderr", and the text of a panic (Rust, Go, C++) the reason's message where the
            crash has none of its own. A SIGKILL, and a kill for memory (cgroup v1 and v2), becomes an event of the type
            "abnormal". Of a program that nothing can be preloaded into (linked statically, or with privileges by its
            file's mode) the signal, the last lines and the panic are told.
            Signals are passed on, and the program may be stopped and continued by the shell. It may be the first
            process of a container: it reaps orphans, and stays until the report is sent, 8 seconds at most. Without
            --url the report is left as crashes/<id>.json in the storage folder, which vaka symbolicate reads and vaka
            submit sends; where sending fails it waits there for vaka submit.
            Exit status: the program's, or the same signal; 128 + its number as the first process; 127 when there is no
            such program, 126 when it cannot be run.
            """,
        options: [
            Manual.Option(
                "storage", "DIR",
                "where reports wait (or VAKA_STORAGE; else a folder of the program's\nname in ~/.local/state/vaka)"),
            Manual.Option("url", "U", "the service's address (or VAKA_URL)"),
            Manual.Option("key", "K", "the project's ingest key, vk_… (or VAKA_KEY)"),
            Manual.Option("release", "R", "the program's release (or VAKA_RELEASE)"),
            Manual.Option("environment", "E", "where it runs, such as production (or VAKA_ENVIRONMENT)"),
            Manual.Option("library", "PATH", "libvakacrash.so, where it is not beside vaka or in ../lib of it"),
            Manual.Option("cgroup-root", "DIR", "where control groups are mounted; /sys/fs/cgroup"),
        ],
        examples: [
            "vaka run --storage /var/lib/app/vaka --release app@2.1 -- ./app --port 80",
            "ENTRYPOINT [\"vaka\", \"run\", \"--url\", \"https://vaka.example.com\", \"--\"]   # with VAKA_KEY set",
        ])

    private static let sdk = SDKInfo(name: "vaka-run", version: VakaVersion.number)
    /// Containers are given 10 seconds to stop.
    private static let sendingTime: Duration = .seconds(8)

    private struct Service {
        var endpoint: ServiceEndpoint
        var key: String
    }

    static func run(_ options: ParsedOptions) throws {
        let command = options.arguments
        guard let first = command.first else { throw UsageError("run: which COMMAND?") }
        let program = first.split(separator: "/").last.map(String.init) ?? first
        let service = try service(options)
        var variables = ProcessInfo.processInfo.environment
        variables["VAKA_RELEASE"] = options.value("release") ?? variables["VAKA_RELEASE"]
        variables["VAKA_ENVIRONMENT"] = options.value("environment") ?? variables["VAKA_ENVIRONMENT"]
        let storage = storage(options, program, variables)
        let library = try library(options)
        let search = variables["PATH"]
        if let library, let storage {
            variables = CaptureLibrary.preloading(library, storage: storage.path, in: variables)
        }
        let group = ControlGroup(root: options.value("cgroup-root") ?? KillCount.root)
        let run = supervise(command, variables, group)
        if let storage {
            let obstacle =
                library == nil ? "libvakacrash.so was not found" : PreloadObstacle.find(first, search: search)
            let report = RunReport(
                run: run, program: program, release: variables["VAKA_RELEASE"],
                environment: variables["VAKA_ENVIRONMENT"], obstacle: obstacle)
            tell(report, storage, service)
        }
        run.status.end()
    }

    private static func supervise(
        _ command: [String], _ variables: [String: String], _ group: ControlGroup
    ) -> Supervisor.Run {
        do {
            return try Supervisor.run(command, environment: variables, group: group)
        } catch {
            Terminal.complain("vaka: \(error)\n")
            exit(error.exitStatus)
        }
    }

    private static func service(_ options: ParsedOptions) throws -> Service? {
        guard options.has("url") || getenv("VAKA_URL") != nil else {
            if options.has("key") { throw UsageError("--url is missing (or set VAKA_URL)") }
            return nil
        }
        return Service(
            endpoint: try UploadCommand.endpoint(options), key: try options.required("key", variable: "VAKA_KEY"))
    }

    /// A program is run even where nothing can be told of it.
    private static func storage(
        _ options: ParsedOptions, _ program: String, _ variables: [String: String]
    ) -> StorageFolder? {
        let named = options.value("storage") ?? variables["VAKA_STORAGE"]
        // The program may change its folder.
        let path = named.map { $0.hasPrefix("/") ? $0 : FileManager.default.currentDirectoryPath + "/" + $0 }
        do {
            return try StorageChoice.folder(
                path, application: program, environment: variables, remedy: "name a --storage")
        } catch {
            Terminal.complain("vaka: no crash of \(program) will be kept: \(error)\n")
            return nil
        }
    }

    private static func library(_ options: ParsedOptions) throws -> String? {
        if let named = options.value("library") {
            let path = named.hasPrefix("/") ? named : FileManager.default.currentDirectoryPath + "/" + named
            guard CaptureLibrary.isUsable(path) else {
                throw UsageError(
                    "run: \(named) cannot be preloaded; name a readable libvakacrash.so, with no space or colon in its path"
                )
            }
            return path
        }
        guard let found = CaptureLibrary.installed() else {
            Terminal.complain(
                "vaka: libvakacrash.so is not beside vaka, nor in ../lib of it: crashes are told without their threads; "
                    + "make install puts it there, or name it with --library\n")
            return nil
        }
        return found
    }

    /// Whatever fails here changes nothing of how the program ended.
    private static func tell(_ report: RunReport, _ storage: StorageFolder, _ service: Service?) {
        do {
            for kept in try report.keep(in: storage, sdk: sdk) { try tell(kept, service) }
        } catch {
            Terminal.complain("vaka: \(error) (\(storage.path); vaka submit sends it)\n")
        }
    }

    private static func tell(_ kept: RunReport.Kept, _ service: Service?) throws {
        let storage = kept.folder
        guard let service else {
            for event in kept.events {
                let file = "\(storage.crashes)/\(event.eventID).json"
                Terminal.complain("vaka: \(file): vaka symbolicate reads it, vaka submit \(storage.path) sends it\n")
            }
            return
        }
        let submitter = StorageSubmitter(
            endpoint: service.endpoint, key: service.key, sdk: sdk, retry: RetryPolicy(bound: sendingTime))
        _ = try submitter.submit(storage: storage.path, within: sendingTime)
        for event in kept.events { Terminal.complain("vaka: sent \(event.eventID)\n") }
    }
}
