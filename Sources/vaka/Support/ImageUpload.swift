// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Glibc
import ServiceClient
import SourceBundles
import VakaModel

/// The uploads of one call, and their count.
final class ImageUpload {
    private let uploader: ArtifactUploader
    private let release: String?
    /// Nil leaves the sources at home.
    private let bundling: SourceBundling?
    private(set) var uploaded = 0
    private(set) var skipped = 0

    init(uploader: ArtifactUploader, release: String?, bundling: SourceBundling?) {
        self.uploader = uploader
        self.release = release
        self.bundling = bundling
    }

    var summary: String { "\(uploaded) uploaded, \(skipped) skipped\n" }

    /// A file that was named must be an image, a source bundle, or the package of an image beside it; in a folder others are
    /// passed over. A package goes with its image.
    func take(_ file: String, named: Bool) throws {
        if file.hasSuffix(Self.packageEnding) { return try take(package: file, named: named) }
        if file.hasSuffix(SourceBundle.fileEnding) { return try take(bundle: SourceBundle(path: file), name: file) }
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
        let existing = try uploader.existing(buildID: buildID)
        if existing.contains(where: { $0.covers(identity) }) {
            skip(file, "the service has it (\(buildID))")
        } else {
            try send(file, buildID, .native)
        }
        try sendPackage(of: file, buildID)
        if let bundling { try sendSources(of: file, identity, buildID, bundling) }
    }

    private static let packageEnding = ".dwp"

    private func take(package: String, named: Bool) throws {
        let images = ["", ".debug"].map { String(package.dropLast(Self.packageEnding.count)) + $0 }
        guard let image = images.first(where: { access($0, R_OK) == 0 }) else {
            let why = "its program is not beside it (\(images[0])); upload both from one folder"
            if named { throw CommandError("\(package): \(why)") }
            return skip(package, why)
        }
        // In a folder the image comes by itself.
        if named { try take(image, named: true) }
    }

    /// The package that `dwp` made of what was split off the image.
    private func sendPackage(of image: String, _ buildID: BuildID) throws {
        let bases = [image] + (image.hasSuffix(".debug") ? [String(image.dropLast(".debug".count))] : [])
        guard let package = bases.map({ $0 + Self.packageEnding }).first(where: { access($0, R_OK) == 0 }),
            let identity = try? ELFIdentifier.identify(path: package)
        else { return }
        let existing = try uploader.existing(buildID: buildID)
        guard !existing.contains(where: { $0.kind == .package && $0.size == identity.fileSize }) else {
            return skip(package, "the service has it (of \(buildID))")
        }
        try send(package, buildID, .package)
    }

    private func sendSources(
        of file: String, _ identity: ELFIdentity, _ buildID: BuildID, _ bundling: SourceBundling
    ) throws {
        let label = "sources of \(file)"
        guard identity.hasDebugInfo else { return skip(label, "it has no DWARF, so that its sources are not known") }
        let folder = try TemporaryWork()
        let path = "\(folder.path)/\(buildID)\(SourceBundle.fileEnding)"
        guard let manifest = try bundling.make(file, buildID: buildID, at: path) else {
            return skip(label, "none of its source files may be read; see --source-root")
        }
        Terminal.complain(SourceBundling.complaints(manifest, of: file))
        try take(bundle: SourceBundle(path: path), name: label)
    }

    private func take(bundle: SourceBundle, name: String) throws {
        let existing = try uploader.existing(buildID: bundle.buildID)
        guard !existing.contains(where: { $0.covers(bundle) }) else {
            return skip(name, "the service has as much source of it (\(bundle.buildID))")
        }
        try send(bundle.path, bundle.buildID, .sources, name: name)
        StandardOutput.write("         \(SourceBundling.summary(bundle.manifest))\n")
    }

    private func send(_ file: String, _ buildID: BuildID, _ kind: ArtifactKind, name: String? = nil) throws {
        let bar = ProgressBar(name ?? file)
        let outcome = try uploader.upload(file: file, kind: kind, buildID: buildID, release: release) { sent, total in
            bar.update(done: sent, total: total)
        }
        bar.finish()
        if outcome.outcome == .stored {
            uploaded += 1
            StandardOutput.write("uploaded \(buildID)  \(name ?? file)\n")
            if let reason = outcome.reason { StandardOutput.write("  \(reason)\n") }
            for finding in outcome.findings where finding.state != .ok {
                StandardOutput.write("  \(finding.name) \(finding.state): \(finding.detail)".printable() + "\n")
                if let cure = finding.cure { StandardOutput.write("    → \(cure.printable())\n") }
            }
        } else {
            skip(name ?? file, outcome.reason ?? "\(outcome.outcome)")
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
        kind == .native && (hasCode || !identity.hasCode) && (hasDebugInfo || !identity.hasDebugInfo)
    }

    fileprivate func covers(_ bundle: SourceBundle) -> Bool {
        kind == .sources && (sourceFiles ?? 0, verifiedFiles ?? 0) >= bundle.richness
    }
}
