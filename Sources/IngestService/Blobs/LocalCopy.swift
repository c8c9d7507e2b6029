// SPDX-License-Identifier: Apache-2.0
import BlobStore
import DebugImages
import FoundationEssentials
import Glibc
import VakaModel

/// What of a blob store lies in the folder of a build id (`.blobs.json`): files that are as this says are those of the store.
struct LocalCopy: Codable {
    var index: VaultIndex
    var version: BlobVersion
    /// By name.
    var files: [String: FileVersion]

    private static let name = "/.blobs.json"

    init(index: VaultIndex, version: BlobVersion, folder: String) {
        self.index = index
        self.version = version
        files = Dictionary(
            uniqueKeysWithValues: index.files.keys.compactMap { name in
                FileVersion(path: folder + "/" + name).map { (name, $0) }
            })
    }

    /// As it was noted; nil where nothing was.
    init?(noted folder: String) {
        guard let data = try? Data(contentsOf: URL(filePath: folder + Self.name)),
            let copy = try? ModelCoding.decode(LocalCopy.self, from: data)
        else { return nil }
        self = copy
    }

    /// Nil unless the folder has these files and no others.
    init?(whole folder: String) {
        self.init(noted: folder)
        guard files.count == index.files.count, Self.files(in: folder) == files else { return nil }
    }

    func note(in folder: String) throws(BlobError) {
        do {
            try ModelCoding.encode(self).write(to: URL(filePath: folder + Self.name), options: .atomic)
        } catch {
            throw BlobError(.local, "cannot write to \(folder): \(error); free space on its disk")
        }
    }

    /// It is used: what was used least lately goes first.
    static func touch(_ folder: String) {
        utimensat(AT_FDCWD, folder + name, nil, 0)
    }

    /// The files of a build id's folder, and of those for other machines below it.
    static func files(in folder: String) -> [String: FileVersion] {
        var found: [String: FileVersion] = [:]
        for name in StoreFiles.entries(folder) where !name.hasPrefix(".") {
            var status = stat()
            guard lstat(folder + "/" + name, &status) == 0 else { continue }
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            let inner = isFolder ? StoreFiles.entries(folder + "/" + name).filter { !$0.hasPrefix(".") } : []
            for file in isFolder ? inner.map({ name + "/" + $0 }) : [name] {
                found[file] = FileVersion(path: folder + "/" + file)
            }
        }
        return found
    }
}
