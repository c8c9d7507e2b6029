// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Glibc

/// A folder that is filled anew.
struct FreshFolder {
    let path: String

    /// Makes it, or takes one that is there and empty.
    init(_ path: String, purpose: String) throws(BackupError) {
        self.path = path
        try Self.make(path)
        guard StoreFiles.entries(path).isEmpty else {
            throw BackupError("\(path) is not empty: \(purpose) needs a folder of its own")
        }
    }

    /// The place of a file within it, whose folder is made.
    func place(_ name: String) throws(BackupError) -> String {
        if let slash = name.lastIndex(of: "/") { try Self.make(path + "/" + name[..<slash]) }
        return path + "/" + name
    }

    /// All names in it are on the disk.
    func sync() {
        Self.sync(path)
    }

    /// For its owner alone, unless it is there.
    private static func make(_ path: String) throws(BackupError) {
        guard access(path, F_OK) != 0 else { return }
        do throws(DebugImageError) {
            try StoreFiles(root: path).makeFolder(path)
        } catch {
            throw BackupError("cannot make the folder \(path): \(error.message)")
        }
        chmod(path, 0o700)
    }

    private static func sync(_ folder: String) {
        StoreFiles(root: folder).sync(folder: folder)
        for name in StoreFiles.entries(folder) {
            var status = stat()
            let path = folder + "/" + name
            if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { sync(path) }
        }
    }
}
