// SPDX-License-Identifier: Apache-2.0
import BlobStore
import DebugImages
import VakaModel

/// Makes the files of a build id's folder those of a blob store: contents first, then the index that names them, then
/// what it does not name any more goes.
struct VaultPublication {
    let buildID: BuildID
    let folder: String
    let blobs: any BlobStore

    func run() throws(BlobError) {
        let before = LocalCopy(noted: folder)
        let index = try index(before)
        guard index != before?.index else { return }
        let known = before?.index.contents ?? []
        for contents in index.contents.subtracting(known) {
            guard let name = index.files.first(where: { $0.value.sha256 == contents })?.key else { continue }
            try blobs.put(file: folder + "/" + name, at: VaultKey.contents(buildID, contents))
        }
        let version = try blobs.put(
            index.bytes, at: VaultKey.index(buildID), if: before.map { .unchanged($0.version) } ?? .absent)
        try LocalCopy(index: index, version: version, folder: folder).note(in: folder)
        // What stays is removed with the build id.
        for contents in known.subtracting(index.contents) {
            try? blobs.remove(VaultKey.contents(buildID, contents))
        }
    }

    private func index(_ before: LocalCopy?) throws(BlobError) -> VaultIndex {
        var files: [String: VaultIndex.File] = [:]
        var digests: [FileVersion: String] = [:]
        for (name, version) in LocalCopy.files(in: folder) {
            if let known = before?.index.files[name], before?.files[name] == version {
                files[name] = known
                continue
            }
            // What names and what was loaded are often the same file.
            let digest: String
            if let same = digests[version] {
                digest = same
            } else {
                digest = try FileDigest.sha256(file: folder + "/" + name)
            }
            digests[version] = digest
            files[name] = VaultIndex.File(sha256: digest, size: version.size)
        }
        return VaultIndex(files: files)
    }
}
