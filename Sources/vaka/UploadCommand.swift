// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Delivery
import ServiceClient
import SourceBundles
import VakaModel

/// `vaka upload debug`: gives the service the debug images that its reports need.
enum UploadCommand: Subcommand {
    static let name = "upload"
    static let manual = Manual(
        summary: "upload debug images, and sources, to the service",
        usage: "upload debug PATH… --url U --token T [--project P] [--release R [--commit C]]"
            + " [--include-sources]",
        explanation: """
            Uploads ELF debug images: programs, libraries and .debug companions; a program's .dwp package beside it goes
            along. Folders are searched. What the service
            has already is skipped, and each skipped file is told with its reason. Reports that waited for an
            image become readable by it. What a file lacks is told, with what would mend it, as vaka check does. A file
            never replaces one that says more under the same build id. Large files go in parts: after a broken connection or a
            kill, the same call goes on where it was.

            With --include-sources, on the machine that builds, the source files that an image's DWARF names go along, so
            that frames show their lines: those below --source-root that are as they were compiled (vaka bundle --help has
            the rules). Source bundles (BUILDID.sources.zip) that vaka bundle made are uploaded like images.
            """,
        options: [
            Manual.Option("url", "U", "the service's address (or VAKA_URL)"),
            Manual.Option("token", "T", "a token, va_… (or VAKA_TOKEN)"),
            Manual.Option("project", "P", "the project; \"default\" when not given"),
            Manual.Option("release", "R", "the release that the images belong to"),
            Manual.Option(
                "commit", "C",
                "the commit that the release was built from: frames lead to their lines at the code's host"),
            Manual.Option("include-sources", nil, "upload the images' source files, too"),
        ] + SourceOptions.options,
        examples: [
            "vaka upload debug --url https://vaka.example.com --token \"$VAKA_TOKEN\" .build/release",
            "vaka upload debug --include-sources --source-map /build/app=. app.debug",
        ])

    static func run(_ options: ParsedOptions) throws {
        guard options.arguments.first == "debug" else { throw UsageError("upload: what? \"upload debug PATH…\"") }
        let paths = Array(options.arguments.dropFirst())
        guard !paths.isEmpty else { throw UsageError("upload debug: which PATH?") }
        let (endpoint, token) = (try endpoint(options), try options.required("token", variable: "VAKA_TOKEN"))
        let project = options.value("project") ?? "default"
        if let commit = options.value("commit") {
            guard let release = options.value("release") else {
                throw UsageError("upload debug: --commit of which --release?")
            }
            try ReleaseCommits(endpoint: endpoint, token: token, project: project, retry: PatientRetry.policy)
                .set(commit, of: release)
        }
        let uploader = ArtifactUploader(
            endpoint: endpoint, token: token, project: project, retry: PatientRetry.policy)
        let sources = options.has("include-sources")
        let bundling = sources ? SourceBundling(folders: try SourceOptions.folders(options, usesCurrent: true)) : nil
        let upload = ImageUpload(uploader: uploader, release: options.value("release"), bundling: bundling)
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
