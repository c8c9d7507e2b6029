// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import SourceBundles

/// `vaka bundle`: keeps the sources of debug images, to be uploaded or used offline later.
enum BundleCommand: Subcommand {
    static let name = "bundle"
    static let manual = Manual(
        summary: "keep the source files of debug images in bundles",
        usage: "bundle [--source-root DIR]… [--source-map FROM=TO]… [--output DIR] F…",
        explanation: """
            Makes a source bundle BUILDID.sources.zip of each debug image with DWARF: of the source files that its DWARF
            names and that are on this machine, below the folders that may be read. Folders are searched. vaka upload debug
            takes bundles as it takes images, and vaka symbolicate finds them in --symbols. Equal sources give equal bundles.

            A file whose contents are not those that were compiled is left out: by its checksum where the compiler wrote
            one (DWARF 5 of clang and Swift), else by its time. Left out are also files without the name of a source file,
            with bytes that no text has, or of more than 16 MiB; the bundle counts and names what it lacks.
            """,
        options: [
            Manual.Option("output", "DIR", "where the bundles go; the current folder when not given", letter: "o")
        ] + SourceOptions.options,
        examples: [
            "vaka bundle --output debug .build/release",
            "vaka bundle --source-map /build/app=. --source-root . server.debug",
        ])

    static func run(_ options: ParsedOptions) throws {
        guard !options.arguments.isEmpty else { throw UsageError("bundle: which F?") }
        let output = options.value("output") ?? "."
        guard ImageFiles.isFolder(output) else { throw CommandError("--output \(output): there is no such folder") }
        let bundling = SourceBundling(folders: try SourceOptions.folders(options, usesCurrent: true))
        var made = 0
        let failure = try attempt(options.arguments) { path in
            try forEach(ImageFiles.found(at: path)) { file in
                if try bundle(file, named: file == path, bundling, output) { made += 1 }
            }
        }
        if let failure { throw failure }
        if made == 0 {
            throw CommandError(
                "no source to bundle: no image in \(options.arguments.joined(separator: ", ")) has both a build id and DWARF "
                    + "that names source files below the folders that may be read; see vaka check and --source-root")
        }
    }

    private static func bundle(
        _ file: String, named: Bool, _ bundling: SourceBundling, _ output: String
    ) throws -> Bool {
        let identity: ELFIdentity
        do {
            identity = try ELFIdentifier.identify(path: file)
        } catch {
            if named || error.code != .notELF { throw CommandError("\(error)") }
            return false
        }
        guard let buildID = identity.buildID, identity.hasDebugInfo else {
            let what = identity.buildID == nil ? "no build id" : "no DWARF, so that its sources are not known"
            StandardOutput.write("skipped  \(file): it has \(what)\n")
            return false
        }
        let target = "\(output)/\(buildID)\(SourceBundle.fileEnding)"
        guard let manifest = try bundling.make(file, buildID: buildID, at: target) else {
            StandardOutput.write("skipped  \(file): none of its source files may be read; see --source-root\n")
            return false
        }
        Terminal.complain(SourceBundling.complaints(manifest, of: file))
        StandardOutput.write("bundled  \(target): \(SourceBundling.summary(manifest))\n")
        return true
    }
}
