// SPDX-License-Identifier: Apache-2.0
import Glibc
import VakaModel

/// The ELF files under the paths that a person named, by build id. Built once, bounded, following links to each folder once.
struct SymbolPathIndex: Sendable {
    private(set) var byBuildID: [BuildID: [Candidate]] = [:]
    /// Files without a build id, by name: they can only be matched by name and size.
    private(set) var withoutBuildID: [String: [Candidate]] = [:]
    /// What could not be read, for `detail`.
    private(set) var problems: [DebugImageError] = []
    /// The search ended at a bound.
    private(set) var isPartial = false

    private struct FolderKey: Hashable {
        var device: UInt
        var inode: UInt
    }

    private var visited: Set<FolderKey> = []
    private var entries = 0

    static let maximumDepth = 24
    static let maximumEntries = 500_000
    private static let maximumProblems = 20

    init(_ paths: [String]) {
        for path in paths { visit(path, root: path, depth: 0) }
        visited = []
    }

    private mutating func visit(_ path: String, root: String, depth: Int) {
        entries += 1
        guard depth <= Self.maximumDepth, entries <= Self.maximumEntries else {
            isPartial = true
            return
        }
        var status = stat()
        guard stat(path, &status) == 0 else {
            if depth == 0 {
                note(DebugImageError(.unreadable, path: path, "does not exist or cannot be read; check --symbols"))
            }
            return
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            guard visited.insert(FolderKey(device: status.st_dev, inode: status.st_ino)).inserted else { return }
            for name in StoreFiles.entries(path) { visit(path + "/" + name, root: root, depth: depth + 1) }
        } else if status.st_mode & S_IFMT == S_IFREG, status.st_size >= 52 {
            identify(path, source: depth == 0 ? "symbols file \(path)" : "symbols folder \(root)", named: depth == 0)
        }
    }

    private mutating func identify(_ path: String, source: String, named: Bool) {
        do {
            let identity = try ELFIdentifier.identify(path: path)
            guard identity.fileType != .relocatable, identity.fileType != .core else { return }
            let candidate = Candidate(path: path, identity: identity, source: source)
            if let buildID = identity.buildID {
                byBuildID[buildID, default: []].append(candidate)
            } else {
                withoutBuildID[String(path.split(separator: "/").last ?? ""), default: []].append(candidate)
            }
        } catch {
            // A folder holds all kinds of files; only broken ELF files and files named one by one are worth a word.
            if named || error.code != .notELF { note(error) }
        }
    }

    private mutating func note(_ problem: DebugImageError) {
        if problems.count < Self.maximumProblems { problems.append(problem) }
    }
}
