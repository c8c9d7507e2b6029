// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Glibc

/// The code of images as their files have it; the files that were used last are kept open. Not thread-safe.
final class CodeFiles {
    private struct Entry {
        var inode: UInt
        var modified: Int
        /// Nil for a file that cannot be read.
        var file: ELFFile?
    }

    private let capacity: Int
    private var entries: [String: Entry] = [:]
    /// Those that were looked at since the event began.
    private var current: Set<String> = []

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Another event begins: a file may have changed since the last.
    func beginEvent() {
        current = []
    }

    /// `count` bytes, one to eight, at a linked address, little-endian; nil where the file has none.
    func read(_ path: String, _ address: UInt64, _ count: Int) -> UInt64? {
        guard (1...8).contains(count), let file = file(path) else { return nil }
        let segment = file.segments.first { segment in
            address >= segment.address && address - segment.address < segment.fileSize
                && segment.fileSize - (address - segment.address) >= UInt64(count)
        }
        guard let segment, let offset = Int(exactly: segment.offset &+ (address - segment.address)) else { return nil }
        var word: UInt64 = 0
        return pread(file.descriptor, &word, count, offset) == count ? UInt64(littleEndian: word) : nil
    }

    private func file(_ path: String) -> ELFFile? {
        if current.contains(path), let known = entries[path] { return known.file }
        current.insert(path)
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        if let known = entries[path], known.inode == status.st_ino, known.modified == status.st_mtim.tv_sec {
            return known.file
        }
        if entries.count >= capacity { entries = [:] }
        let file = try? ELFFile(path: path)
        entries[path] = Entry(inode: status.st_ino, modified: status.st_mtim.tv_sec, file: file)
        return file
    }
}
