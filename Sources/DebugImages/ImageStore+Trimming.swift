// SPDX-License-Identifier: Apache-2.0
import Glibc
package import VakaModel

extension ImageStore {
    /// Removes the images whose files were changed first until what is left needs at most so many bytes; their number. For a
    /// store of files that can be had again.
    ///
    /// - Parameter keeping: these stay, however large they are.
    @discardableResult
    package func trim(to mostBytes: UInt64, keeping: (BuildID) -> Bool = { _ in false }) -> Int {
        let images = images().sorted { $0.modified < $1.modified }
        var total = images.reduce(0) { $0 &+ $1.bytes }
        var removed = 0
        for image in images where total > mostBytes && !keeping(image.buildID) {
            total -= min(total, image.bytes)
            remove(image.folder)
            removed += 1
        }
        return removed
    }

    /// Whatever there is something of.
    package func buildIDs() -> [BuildID] { images().map(\.buildID) }

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
        var buildID: BuildID
        var folder: String
        var bytes: UInt64
        var modified: Int
    }

    private func images() -> [Image] {
        StoreFiles.entries(folder).filter { $0.utf8.count == 2 }.flatMap { prefix in
            StoreFiles.entries(folder + "/" + prefix).compactMap { rest in
                guard let buildID = BuildID(hex: prefix + rest) else { return nil }
                var image = Image(buildID: buildID, folder: "\(folder)/\(prefix)/\(rest)", bytes: 0, modified: 0)
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
                image.modified = max(
                    image.modified, status.st_ctim.tv_sec &* 1_000_000_000 &+ status.st_ctim.tv_nsec)
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
