// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
package import VakaModel

/// A source bundle on disk: what it holds, and the contents of its files.
///
/// Everything that it says is checked before it is believed; opening it reads its directory and its manifest. Not
/// thread-safe.
package final class SourceBundle {
    static let manifestName = "manifest.json"
    static let folder = "files/"
    /// What bundles are called that were made to be kept: `<build id>.sources.zip`.
    package static let fileEnding = ".sources.zip"

    package let path: String
    package let manifest: SourceBundleManifest
    private let archive: ZipArchive
    private let files: [String: Int]

    package init(path: String) throws(SourceBundleError) {
        self.path = path
        archive = try ZipArchive(path: path)
        manifest = try Self.manifest(archive)
        var files: [String: Int] = [:]
        for (index, file) in manifest.files.enumerated() { files[file.path] = index }
        self.files = files
        try SourceBundleRules(archive: archive, manifest: manifest).check()
    }

    /// On disk, in bytes.
    package var size: Int { archive.size }

    package var buildID: BuildID { manifest.buildID }

    /// How much the bundle tells: a later one of the same image replaces it only when it tells more.
    package var richness: (files: Int, verified: Int) {
        (manifest.files.count, manifest.files.count { $0.verified })
    }

    /// What the manifest says of a file; `path` is normal.
    package func file(_ path: String) -> SourceBundleManifest.File? { files[path].map { manifest.files[$0] } }

    /// The contents of a file of the manifest, compared with its checksum.
    package func contents(_ file: SourceBundleManifest.File) throws(SourceBundleError) -> [UInt8] {
        let bytes = try archive.read(Self.folder + file.sha256, limit: SourceBundleLimits.fileBytes)
        guard bytes.count == file.size, Digest.hex(Digest.sha256(bytes)) == file.sha256 else {
            throw SourceBundleError(
                .malformed, path: path,
                "the contents of \(file.path) are not those of its checksum; make the bundle anew")
        }
        return bytes
    }

    /// Reads every file once, so that later readers find what the manifest promises.
    package func checkContents() throws(SourceBundleError) {
        var seen: Set<String> = []
        for file in manifest.files where seen.insert(file.sha256).inserted { _ = try contents(file) }
    }

    private static func manifest(_ archive: ZipArchive) throws(SourceBundleError) -> SourceBundleManifest {
        guard archive.entries[manifestName] != nil else {
            throw SourceBundleError(
                .notABundle, path: archive.path, "is no source bundle: it has no \(manifestName) in it")
        }
        let bytes = try archive.read(manifestName, limit: SourceBundleLimits.manifestBytes)
        struct Head: Decodable {
            var format: String
            var version: Int
        }
        let data = Data(bytes)
        guard let head = try? ModelCoding.decode(Head.self, from: data), head.format == SourceBundleManifest.format
        else {
            throw SourceBundleError(
                .notABundle, path: archive.path, "is no source bundle: its \(manifestName) does not say so")
        }
        guard head.version <= SourceBundleManifest.version else {
            throw SourceBundleError(
                .newerVersion, path: archive.path,
                "is a source bundle of version \(head.version); this program knows \(SourceBundleManifest.version): use a newer one"
            )
        }
        do {
            return try ModelCoding.decode(SourceBundleManifest.self, from: data)
        } catch {
            throw SourceBundleError(
                .malformed, path: archive.path,
                "its \(manifestName) lacks what version \(head.version) has; make it anew")
        }
    }
}
