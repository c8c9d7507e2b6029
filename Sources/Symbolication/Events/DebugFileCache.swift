// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Glibc

/// The files that were used last, kept open with what was read of them. A file that changed is opened anew.
final class DebugFileCache {
    private struct Version: Equatable {
        var device: UInt
        var inode: UInt
        var modified: Int
        var size: Int
    }

    private struct Entry {
        var version: Version
        var file: DebugFile
        var lastUse: UInt64
    }

    private let capacity: Int
    private let caches: SymbolCacheFolder?
    private var entries: [String: Entry] = [:]
    private var uses: UInt64 = 0
    private var memories: [MemoryKey: NameMemory] = [:]

    /// On what the words for an image's addresses depend.
    private struct MemoryKey: Hashable {
        var files: [ObjectIdentifier]
        var isInApp: Bool?
        var architecture: String?
    }

    init(capacity: Int, caches: SymbolCacheFolder?) {
        self.capacity = capacity
        self.caches = caches
    }

    func file(_ path: String) throws(DebugImageError) -> DebugFile {
        uses += 1
        let version = Self.version(path)
        if var entry = entries[path], entry.version == version {
            entry.lastUse = uses
            entries[path] = entry
            return entry.file
        }
        forget(path)
        let file = try DebugFile(path: path, caches: caches)
        if let version {
            entries[path] = Entry(version: version, file: file, lastUse: uses)
            evict()
        }
        return file
    }

    /// What is remembered of the image that has these open files. Of one without files nothing is known.
    func memory(of files: [DebugFile], isInApp: Bool?, architecture: String?) -> NameMemory {
        guard !files.isEmpty else { return NameMemory() }
        let key = MemoryKey(files: files.map(ObjectIdentifier.init), isInApp: isInApp, architecture: architecture)
        if let known = memories[key] { return known }
        if memories.count >= 4 * capacity { memories = [:] }
        let memory = NameMemory()
        memories[key] = memory
        return memory
    }

    private func forget(_ path: String) {
        guard let file = entries.removeValue(forKey: path)?.file else { return }
        memories = memories.filter { !$0.key.files.contains(ObjectIdentifier(file)) }
    }

    /// `reads` is told of each file before it is read.
    func keepCaches(_ reads: (String) -> Void) {
        for entry in entries.values {
            reads(entry.file.path)
            entry.file.keepCache(afterFewAddresses: true)
        }
    }

    private func evict() {
        guard entries.count > capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
            return
        }
        forget(oldest.key)
    }

    private static func version(_ path: String) -> Version? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Version(
            device: status.st_dev, inode: status.st_ino, modified: status.st_mtim.tv_sec, size: status.st_size)
    }
}
