// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What files take on the disk.
package enum FolderSize {
    private static let deepest = 16

    /// Bytes of a folder's files and of those below it; 0 where there is no such folder. Links are not followed.
    package static func bytes(_ folder: String) -> UInt64 { bytes(folder, depth: 0) }

    /// One file may have several names: each is counted with its share.
    static func bytes(_ status: stat) -> UInt64 {
        UInt64(max(0, status.st_blocks)) * 512 / UInt64(max(1, status.st_nlink))
    }

    private static func bytes(_ folder: String, depth: Int) -> UInt64 {
        StoreFiles.entries(folder).reduce(0) { sum, name in
            var status = stat()
            guard lstat(folder + "/" + name, &status) == 0 else { return sum }
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            let below = isFolder && depth < deepest ? bytes(folder + "/" + name, depth: depth + 1) : 0
            return sum &+ below &+ (isFolder ? 0 : bytes(status))
        }
    }
}
