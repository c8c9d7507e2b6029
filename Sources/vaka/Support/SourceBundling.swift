// SPDX-License-Identifier: Apache-2.0
import DebugImages
import SourceBundles
import Symbolication
import VakaModel

/// Makes source bundles, and says what they lack.
struct SourceBundling {
    let folders: SourceFolders

    /// Nil where the image's debug information names no file that may be read; no bundle is left then.
    func make(_ image: String, buildID: BuildID, at path: String) throws -> SourceBundleManifest? {
        let list = try SourceFileList(path: image)
        let manifest = try SourceBundleWriter.write(
            path, buildID: buildID, sources: list.files, folders: folders, builtAt: SourceFolders.writeTime(image))
        guard manifest.files.isEmpty else { return manifest }
        remove(path)
        return nil
    }

    /// How many files are in it, and how many are not, by reason.
    static func summary(_ manifest: SourceBundleManifest) -> String {
        let files = manifest.files.count
        let missing = manifest.missing
        guard missing.count > 0 else { return "\(count(files, "file")), none missing" }
        var reasons: [SourceOmission: Int] = [:]
        for file in missing.files { reasons[file.why, default: 0] += 1 }
        let words = reasons.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
            .map { "\($0.value) \($0.key.words)" }
        return "\(count(files, "file")), \(missing.count) left out: \(words.joined(separator: ", "))"
    }

    /// Files below the allowed folders that are left out, which a person may want to mend; the others are the system's.
    static func complaints(_ manifest: SourceBundleManifest, of image: String) -> String {
        let mendable = manifest.missing.files.filter { ![.outside, .notFound, .notSource].contains($0.why) }
        let shown = mendable.prefix(20).map { "\(image): left out \($0.path): \($0.why.words)\n" }.joined()
        return shown
            + (mendable.count > 20 ? "\(image): and \(mendable.count - 20) more; the manifest names them\n" : "")
    }

    private static func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }

    private func remove(_ path: String) { try? TemporaryWork.remove(path) }
}
