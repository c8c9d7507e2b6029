// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Glibc

/// The files of a folder and those below it.
enum DataTree {
    /// Plain files under the subfolders named, by their paths within `root`; what is being written to is left out.
    static func files(_ root: String, in subfolders: [String]) -> [String] {
        var found: [String] = []
        var open = subfolders
        while let folder = open.popLast() {
            for name in StoreFiles.entries(root + "/" + folder) where !name.hasPrefix(".incoming-") {
                let path = folder + "/" + name
                var status = stat()
                guard lstat(root + "/" + path, &status) == 0 else { continue }
                switch status.st_mode & S_IFMT {
                case S_IFDIR: open.append(path)
                case S_IFREG: found.append(path)
                default: break
                }
            }
        }
        return found.sorted()
    }
}
