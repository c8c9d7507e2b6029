// SPDX-License-Identifier: Apache-2.0
import Glibc
package import VakaModel

extension ImageStore {
    /// Removes the images that came first until what is left needs at most so many bytes. For a store of files that can
    /// be had again.
    ///
    /// - Parameter keeping: stays, however large it is.
    package func trim(to mostBytes: UInt64, keeping: BuildID? = nil) {
        var images = images().sorted { $0.modified < $1.modified }
        var total = images.reduce(0) { $0 &+ $1.bytes }
        while total > mostBytes, let index = images.firstIndex(where: { $0.folder != keeping.map(root) }) {
            let image = images.remove(at: index)
            total -= min(total, image.bytes)
            remove(image.folder)
        }
    }

    /// Removes all that there is of a build id, and what lies beside it; the bytes that it took.
    package func remove(_ buildID: BuildID) -> UInt64 {
        let folder = root(buildID)
        let files = StoreFiles(root: self.folder)
        let bytes = try? files.locked(folder) { () throws(DebugImageError) in
            defer { remove(folder) }
            return FolderSize.bytes(folder)
        }
        return bytes ?? 0
    }

    private struct Image {
        var folder: String
        var bytes: UInt64
        var modified: Int
    }

    private func images() -> [Image] {
        StoreFiles.entries(folder).filter { $0.utf8.count == 2 }.flatMap { prefix in
            StoreFiles.entries(folder + "/" + prefix).map { rest in
                var image = Image(folder: "\(folder)/\(prefix)/\(rest)", bytes: 0, modified: 0)
                measure(image.folder, into: &image, depth: 0)
                return image
            }
        }
    }

    private func measure(_ folder: String, into image: inout Image, depth: Int) {
        for name in StoreFiles.entries(folder) {
            var status = stat()
            guard lstat(folder + "/" + name, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR, depth == 0 {
                measure(folder + "/" + name, into: &image, depth: 1)
            } else {
                image.bytes &+= FolderSize.bytes(status)
                image.modified = max(image.modified, status.st_ctim.tv_sec)
            }
        }
    }

    private func remove(_ folder: String) {
        for name in StoreFiles.entries(folder) where unlink(folder + "/" + name) != 0 {
            for inner in StoreFiles.entries(folder + "/" + name) { unlink(folder + "/" + name + "/" + inner) }
            rmdir(folder + "/" + name)
        }
        rmdir(folder)
    }
}
