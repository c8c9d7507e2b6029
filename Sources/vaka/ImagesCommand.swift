// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import ServiceClient
import VakaModel

/// `vaka images`: what was uploaded, and what of it nobody needs.
enum ImagesCommand: Subcommand {
    static let name = "images"
    static let manual = Manual(
        summary: "list uploaded debug images, and remove those that no event needs",
        usage: "images [--unused DAYS [--remove]] [--format text|json] --url U --token T [--project P]",
        explanation: """
            Lists what was uploaded to the service, the newest first: build id, what it is, its size, and how many of the stored
            events have frames in it.

            With --unused, only what no stored event needs and what has been there for at least so many days: images of
            releases that did not crash lately are among them, so choose more days than a release is in use. --remove
            removes them. A file that another project uploaded, too, stays for that one.
            """,
        options: [
            Manual.Option("unused", "DAYS", "only what no stored event needs, uploaded so many days ago or earlier"),
            Manual.Option("remove", nil, "remove it"),
            Manual.Option("format", "text|json", "how to print; text when not given"),
            Manual.Option("url", "U", "the service's address (or VAKA_URL)"),
            Manual.Option("token", "T", "a token, va_… (or VAKA_TOKEN)"),
            Manual.Option("project", "P", "the project; \"default\" when not given"),
        ],
        examples: [
            "vaka images --unused 180 --url https://vaka.example.com --token \"$VAKA_TOKEN\"",
            "vaka images --unused 180 --remove",
        ])

    static func run(_ options: ParsedOptions) throws {
        guard options.arguments.isEmpty else { throw UsageError("images: what is \"\(options.arguments[0])\"?") }
        let json = try options.wantsJSON()
        let days = try options.value("unused").map(days)
        let list = ArtifactList(
            endpoint: try UploadCommand.endpoint(options), token: try options.required("token", variable: "VAKA_TOKEN"),
            project: options.value("project") ?? "default", retry: PatientRetry.policy)
        if options.has("remove") {
            guard let days else { throw UsageError("images: --remove goes with --unused DAYS") }
            let (removed, bytes) = try list.removeUnused(days: days)
            return StandardOutput.write(
                json ? "{\"removed\":\(removed),\"bytes\":\(bytes)}\n" : "\(removed) removed, \(bytes) bytes\n")
        }
        let artifacts = try list.artifacts(unusedDays: days)
        if json {
            return StandardOutput.write(
                String(decoding: try ModelCoding.encode(artifacts, pretty: true), as: UTF8.self) + "\n")
        }
        for artifact in artifacts { StandardOutput.write(line(artifact).printable() + "\n") }
        Terminal.complain("\(artifacts.count) images, \(artifacts.reduce(0) { $0 + $1.size }) bytes\n")
    }

    private static func days(_ text: String) throws -> Int {
        guard let days = Int(text), (0...36_500).contains(days) else {
            throw UsageError("images: --unused takes a number of days, not \"\(text)\"")
        }
        return days
    }

    private static func line(_ artifact: StoredArtifact) -> String {
        let parts = [(artifact.hasCode, "code"), (artifact.hasDebugInfo, "debug info")].filter(\.0).map(\.1)
        let what = artifact.kind == .native ? parts.joined(separator: ", ") : "\(artifact.kind)"
        let day = (artifact.uploadedAt ?? "").prefix(10)
        return
            "\(artifact.buildID)  \(day)  \(artifact.size) bytes  \(artifact.events ?? 0) events  \(artifact.name ?? "?")  (\(what))"
    }
}
