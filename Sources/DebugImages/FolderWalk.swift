// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The regular files at and below paths that a person named: bounded, and each folder once, whatever links lead to it.
package struct FolderWalk {
    package struct File {
        package var path: String
        package var size: Int
        /// The named path that it was found under.
        package var root: String
        /// It was named itself.
        package var isNamed: Bool
    }

    private struct FolderKey: Hashable {
        var device: UInt
        var inode: UInt
    }

    /// The walk ended at a bound.
    package private(set) var isPartial = false
    /// Named paths that do not exist or cannot be read.
    package private(set) var missing: [String] = []

    private var visited: Set<FolderKey> = []
    private var entries = 0

    private static let maximumDepth = 24
    private static let maximumEntries = 500_000

    /// Calls `body` for each file, in the order of the paths and of the names in each folder.
    package init(_ paths: [String], _ body: (File) -> Void) {
        for path in paths { visit(path, root: path, depth: 0, body) }
    }

    private mutating func visit(_ path: String, root: String, depth: Int, _ body: (File) -> Void) {
        entries += 1
        guard depth <= Self.maximumDepth, entries <= Self.maximumEntries else {
            isPartial = true
            return
        }
        var status = stat()
        guard stat(path, &status) == 0 else {
            if depth == 0 { missing.append(path) }
            return
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            guard visited.insert(FolderKey(device: status.st_dev, inode: status.st_ino)).inserted else { return }
            for name in StoreFiles.entries(path) { visit(path + "/" + name, root: root, depth: depth + 1, body) }
        } else if status.st_mode & S_IFMT == S_IFREG {
            body(File(path: path, size: status.st_size, root: root, isNamed: depth == 0))
        }
    }
}
