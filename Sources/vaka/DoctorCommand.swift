// SPDX-License-Identifier: Apache-2.0
import Delivery
import Doctor
import FoundationEssentials
import Glibc
import ServiceClient
import Supervision
import VakaModel

/// `vaka doctor`: what this machine or container lets a capture do.
enum DoctorCommand: Subcommand {
    static let name = "doctor"
    static let manual = Manual(
        summary: "say what this machine or container allows, by crashing and reading the records",
        usage: "doctor [--storage DIR] [--url U --key K] [--format text|json]",
        explanation: """
            Crashes children of its own, a program that knows nothing of Vaka under libvakacrash.so, and reads their records:
            whether there is one, whether its frames are the right ones and all there, how long it took. Run it where and
            as whom the program runs: in its container, under its limits, with its storage folder. Each line says what
            is ok, degraded or missing, what that costs and what would mend it.
            Nothing is sent, also with --url, where the service is asked for its settings with the key. Nothing is left.
            Exit status: 0 where a crash here is caught, also in a degraded way; 1 where it would be lost.
            """,
        options: [
            Manual.Option("storage", "DIR", "where records would be kept (or VAKA_STORAGE)"),
            Manual.Option("url", "U", "a service that is to be reached (or VAKA_URL)"),
            Manual.Option("key", "K", "the project's ingest key, vk_… (or VAKA_KEY)"),
            Manual.Option("library", "PATH", "libvakacrash.so, where it is not beside vaka or in ../lib of it"),
            Manual.Option("cgroup-root", "DIR", "where control groups are mounted; /sys/fs/cgroup"),
            Manual.Option("format", "text|json", "how to print; text when not given"),
        ],
        examples: [
            "vaka doctor --storage /var/lib/app/vaka",
            "docker run --rm --entrypoint vaka IMAGE doctor --storage /crashes --format json",
        ])

    static func run(_ options: ParsedOptions) throws {
        let variables = ProcessInfo.processInfo.environment
        if let child = variables[DoctorChild.variable].flatMap(DoctorChild.init) { return child.run() }
        guard options.arguments.isEmpty else { throw UsageError("doctor: takes no arguments") }
        let json = try options.wantsJSON()
        let service = try service(options)
        guard
            let setup = DoctorSetup(
                library: try library(options), storage: storage(options, variables), environment: variables,
                cgroupRoot: options.value("cgroup-root") ?? "/sys/fs/cgroup")
        else { throw CommandError("this program cannot be found, to be started again: start it by its whole path") }
        var diagnosis = Examination(setup).diagnosis()
        if let service { diagnosis = diagnosis.adding(ServiceCheck.finding(service.endpoint, key: service.key)) }
        StandardOutput.write(json ? try document(diagnosis) : DiagnosisText(diagnosis).text)
        if !diagnosis.captures { throw CommandError("a crash here would be lost") }
    }

    private static func document(_ diagnosis: Diagnosis) throws -> String {
        String(decoding: try ModelCoding.encode(diagnosis, pretty: true), as: UTF8.self) + "\n"
    }

    private static func service(_ options: ParsedOptions) throws -> (endpoint: ServiceEndpoint, key: String)? {
        guard options.has("url") || getenv("VAKA_URL") != nil else {
            if options.has("key") { throw UsageError("--url is missing (or set VAKA_URL)") }
            return nil
        }
        return (try UploadCommand.endpoint(options), try options.required("key", variable: "VAKA_KEY"))
    }

    private static func storage(_ options: ParsedOptions, _ variables: [String: String]) -> String? {
        (options.value("storage") ?? variables["VAKA_STORAGE"]).map(absolute)
    }

    private static func library(_ options: ParsedOptions) throws -> String? {
        guard let named = options.value("library").map(absolute) else {
            return CaptureLibrary.installed(executable: DoctorSetup.ownExecutable())
        }
        guard CaptureLibrary.isUsable(named) else {
            throw UsageError(
                "doctor: \(named) cannot be preloaded; name a readable libvakacrash.so, with no space or colon in its path"
            )
        }
        return named
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
