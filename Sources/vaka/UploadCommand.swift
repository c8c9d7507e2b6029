// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Delivery
import ServiceClient
import VakaModel

/// `vaka upload debug`: gives the service the debug images that its reports need.
enum UploadCommand: Subcommand {
    static let name = "upload"
    static let manual = Manual(
        summary: "upload debug images to the service",
        usage: "upload debug PATH… --url U --token T [--project P] [--release R]",
        explanation: """
            Uploads ELF debug images: programs, libraries and .debug companions. Folders are searched. What the service
            has already is skipped, and each skipped file is told with its reason. Reports that waited for an
            image become readable by it. What a file lacks is told, with what would mend it, as vaka check does. A file
            never replaces one that says more under the same build id.
            """,
        options: [
            Manual.Option("url", "U", "the service's address (or VAKA_URL)"),
            Manual.Option("token", "T", "a token, va_… (or VAKA_TOKEN)"),
            Manual.Option("project", "P", "the project; \"default\" when not given"),
            Manual.Option("release", "R", "the release that the images belong to"),
        ],
        examples: ["vaka upload debug --url https://vaka.example.com --token \"$VAKA_TOKEN\" .build/release"])

    static func run(_ options: ParsedOptions) throws {
        guard options.arguments.first == "debug" else { throw UsageError("upload: what? \"upload debug PATH…\"") }
        let paths = Array(options.arguments.dropFirst())
        guard !paths.isEmpty else { throw UsageError("upload debug: which PATH?") }
        let uploader = ArtifactUploader(
            endpoint: try endpoint(options), token: try options.required("token", variable: "VAKA_TOKEN"),
            project: options.value("project") ?? "default", retry: PatientRetry.policy)
        let upload = Upload(uploader: uploader, release: options.value("release"))
        let failure = try attempt(paths) { path in
            try forEach(ImageFiles.found(at: path)) { file in try upload.take(file, named: file == path) }
        }
        Terminal.complain(upload.summary)
        if let failure { throw failure }
        if upload.uploaded + upload.skipped == 0 {
            throw CommandError("no ELF file with a build id in \(paths.joined(separator: ", "))")
        }
    }

    static func endpoint(_ options: ParsedOptions) throws -> ServiceEndpoint {
        try ServiceEndpoint(url: try options.required("url", variable: "VAKA_URL"))
    }
}

/// The uploads of one call, and their count.
private final class Upload {
    private let uploader: ArtifactUploader
    private let release: String?
    private(set) var uploaded = 0
    private(set) var skipped = 0

    init(uploader: ArtifactUploader, release: String?) {
        self.uploader = uploader
        self.release = release
    }

    var summary: String { "\(uploaded) uploaded, \(skipped) skipped\n" }

    /// A file that was named must be an image; in a folder others are passed over.
    func take(_ file: String, named: Bool) throws {
        let identity: ELFIdentity
        do {
            identity = try ELFIdentifier.identify(path: file)
        } catch {
            if named { throw CommandError("\(error)") }
            if error.code != .notELF { skip(file, error.message) }
            return
        }
        guard let buildID = identity.buildID else {
            let why = "it has no build id, so no report can be matched to it; link with -Wl,--build-id"
            if named { throw CommandError("\(file): \(why)") }
            return skip(file, why)
        }
        if try uploader.existing(buildID: buildID).contains(where: { $0.covers(identity) }) {
            return skip(file, "the service has it (\(buildID))")
        }
        try send(file, buildID)
    }

    private func send(_ file: String, _ buildID: BuildID) throws {
        let bar = ProgressBar(file)
        let outcome = try uploader.upload(file: file, buildID: buildID, release: release) { sent, total in
            bar.update(done: sent, total: total)
        }
        bar.finish()
        if outcome.outcome == .stored {
            uploaded += 1
            StandardOutput.write("uploaded \(buildID)  \(file)\n")
            if let reason = outcome.reason { StandardOutput.write("  \(reason)\n") }
            for finding in outcome.findings where finding.state != .ok {
                StandardOutput.write("  \(finding.name) \(finding.state): \(finding.detail)".printable() + "\n")
                if let cure = finding.cure { StandardOutput.write("    → \(cure.printable())\n") }
            }
        } else {
            skip(file, outcome.reason ?? "\(outcome.outcome)")
        }
    }

    private func skip(_ file: String, _ why: String) {
        skipped += 1
        StandardOutput.write("skipped  \(file): \(why)\n")
    }
}

extension StoredArtifact {
    /// The service would gain nothing from a file like this.
    fileprivate func covers(_ identity: ELFIdentity) -> Bool {
        (hasCode || !identity.hasCode) && (hasDebugInfo || !identity.hasDebugInfo)
    }
}
