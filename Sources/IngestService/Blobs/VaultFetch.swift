// SPDX-License-Identifier: Apache-2.0
import BlobStore
import DebugImages
import Glibc
import VakaModel

/// Brings the files of a build id from a blob store to a folder: each is checked, and takes its place when all are here.
struct VaultFetch {
    let buildID: BuildID
    let folder: String
    let blobs: any BlobStore
    /// What is damaged there is left out: it is to be replaced.
    var leavesOutDamage = false

    /// Whether files came; nil where the store has nothing of the build id.
    ///
    /// - Parameter copy: what is there already.
    func run(_ copy: LocalCopy?) throws(BlobError) -> Bool? {
        for isLast in [false, true] {
            guard let (bytes, version) = try blobs.read(VaultKey.index(buildID)) else { return nil }
            guard let index = VaultIndex(bytes) ?? (leavesOutDamage ? VaultIndex(files: [:]) : nil) else {
                throw BlobError(
                    .damaged, "\(VaultKey.index(buildID)) in \(blobs.name) is damaged; upload the image again")
            }
            if copy?.version == version { return false }
            do throws(BlobError) {
                try replace(index, version, copy)
                return true
            } catch {
                // Another machine may have put better files in their place.
                guard error.code == .absent, !isLast else {
                    throw error.code == .absent
                        ? BlobError(.damaged, "\(error), though its index names it; upload the image again") : error
                }
            }
        }
        return nil
    }

    private func replace(_ whole: VaultIndex, _ version: BlobVersion, _ copy: LocalCopy?) throws(BlobError) {
        var index = whole
        let files = StoreFiles(root: folder)
        do {
            try files.makeFolder(folder)
        } catch {
            throw BlobError(.local, error.description)
        }
        var here: [String: String] = [:]
        for (name, file) in copy?.index.files ?? [:] { here[file.sha256] = folder + "/" + name }
        var incoming: [String] = []
        defer { incoming.forEach { unlink($0) } }
        for contents in index.contents where here[contents] == nil {
            let place = folder + "/.incoming-\(getpid())-\(contents)"
            unlink(place)
            incoming.append(place)
            do throws(BlobError) {
                try fetch(contents, to: place)
                here[contents] = place
            } catch {
                guard leavesOutDamage, error.code == .damaged || error.code == .absent else { throw error }
                index.files = index.files.filter { $0.value.sha256 != contents }
            }
        }
        do {
            try files.locked(folder) { () throws(DebugImageError) in try place(index, here, files) }
        } catch {
            throw BlobError(.local, error.description)
        }
        try LocalCopy(index: index, version: version, folder: folder).note(in: folder)
    }

    private func fetch(_ contents: String, to place: String) throws(BlobError) {
        let key = VaultKey.contents(buildID, contents)
        guard try blobs.fetch(key, to: place) != contents else { return }
        throw BlobError(.damaged, "\(key) in \(blobs.name) is not what was put there: upload the image again")
    }

    private func place(
        _ index: VaultIndex, _ here: [String: String], _ files: StoreFiles
    ) throws(DebugImageError) {
        // Linked under other names first, for what is here may change places.
        var linked: [(String, String)] = []
        defer { linked.forEach { unlink($0.0) } }
        for (name, file) in index.files {
            guard let source = here[file.sha256] else { continue }
            let temporary = folder + "/.incoming-\(getpid())-link-\(linked.count)"
            unlink(temporary)
            guard link(source, temporary) == 0 else { throw files.failure("link", temporary) }
            linked.append((temporary, folder + "/" + name))
        }
        for (temporary, path) in linked {
            if let slash = path.lastIndex(of: "/") { try files.makeFolder(String(path[..<slash])) }
            guard rename(temporary, path) == 0 else { throw files.failure("rename to", path) }
        }
        for name in LocalCopy.files(in: folder).keys where index.files[name] == nil { unlink(folder + "/" + name) }
        files.sync(folder: folder)
    }
}
