// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import Glibc
import VakaModel

/// What a process has in memory and not yet in a batch, item by item, one a line: it outlives the process, however that
/// ends, though not the machine. Held (flock) as long as the process lives.
// Only `append` changes it, which its owner calls under a lock.
package final class SpoolFile: @unchecked Sendable {
    /// A file that grows no more.
    private static let limit = 64 << 20
    private static let suffix = ".items"

    private let descriptor: Int32
    private let path: String
    private var size = 0

    /// Nil where it cannot be made: then what is in memory is lost with the process.
    init?(folder: String) {
        guard (try? StorageFolder.make(folder)) != nil else { return nil }
        let name = BatchQueue.newID() + Self.suffix
        path = folder + "/" + name
        // It has its name only when it is locked: who finds it unlocked may take it.
        let temporary = folder + "/" + DurableFile.temporaryPrefix + name
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, rename(temporary, path) == 0 else {
            unlink(temporary)
            return nil
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// False where it is not there.
    package func append(_ line: Data) -> Bool {
        let data = line + Data("\n".utf8)
        guard size + data.count <= Self.limit else { return false }
        size += data.count
        // In one piece: a process that ends meanwhile leaves the whole line, or one that is known to be cut.
        return data.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == data.count
    }

    /// What it holds is kept elsewhere by now, or is to be forgotten.
    package func remove() {
        unlink(path)
    }

    /// Puts what processes that are gone left in a queue's spool into that queue.
    static func recover(_ queue: BatchQueue, time: Timestamp) throws {
        let folder = queue.spool
        for name in queue.folder.names(in: folder) {
            let path = folder + "/" + name
            guard let descriptor = UnheldFile.open(path) else { continue }
            defer { close(descriptor) }
            guard name.hasSuffix(suffix), !name.hasPrefix(".") else {
                if UnheldFile.isSettled(descriptor) { unlink(path) }
                continue
            }
            try queue.add(items(path), time: time)
            unlink(path)
        }
    }

    /// Takes items out of what processes that are gone left.
    static func removeItems(_ queue: BatchQueue, where isRemoved: (BatchItem) -> Bool) {
        for name in queue.folder.names(in: queue.spool) where name.hasSuffix(suffix) && !name.hasPrefix(".") {
            let path = queue.spool + "/" + name
            guard let descriptor = UnheldFile.open(path) else { continue }
            defer { close(descriptor) }
            let items = items(path)
            let kept = items.filter { !isRemoved($0) }
            if kept.count == items.count { continue }
            guard !kept.isEmpty, let data = try? kept.map({ try ModelCoding.encode($0) + Data("\n".utf8) }) else {
                unlink(path)
                continue
            }
            try? DurableFile.write(Data(data.joined()), name: name, folder: queue.spool)
        }
    }

    private static func items(_ path: String) -> [BatchItem] {
        guard let data = try? DurableFile.read(path) else { return [] }
        return data.split(separator: UInt8(ascii: "\n")).compactMap { line in
            try? ModelCoding.decode(BatchItem.self, from: Data(line))
        }
    }
}
