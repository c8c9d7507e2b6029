// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// The folder beside a database in which its journal's segments lie. One process at a time.
final class JournalFolder: Sendable {
    /// Of the database at `path`.
    static func path(of database: String) -> String { database + "-spool" }

    private static let prefix = "segment-"

    private let path: String
    private let lock: Int32

    /// What takes over what was left is soon done with it.
    private static let mostSeconds = 30

    /// Waits for the process that has it.
    init(of database: String) throws(StoreError) {
        path = Self.path(of: database)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw JournalSegment.failure("make the folder", path) }
        // Its own name, and those that a process before has made.
        for folder in [URL(filePath: path).deletingLastPathComponent().path, path] { try Self.sync(folder) }
        lock = try Self.open(path)
        var tries = Self.mostSeconds * 20
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            tries -= 1
            guard tries > 0, errno == EWOULDBLOCK || errno == EINTR else {
                throw JournalSegment.failure("lock", path)
            }
            usleep(50_000)
        }
    }

    /// Nil where there is none, or another process has it.
    init?(leftOf database: String) throws(StoreError) {
        path = Self.path(of: database)
        guard access(path, F_OK) == 0 else { return nil }
        lock = try Self.open(path)
        // All is set by now: the lock's file is closed as that of any other.
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    deinit { close(lock) }

    /// Another may have it from now on.
    func release() {
        flock(lock, LOCK_UN)
    }

    private static func open(_ path: String) throws(StoreError) -> Int32 {
        let descriptor = Glibc.open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw JournalSegment.failure("open", path + "/lock") }
        return descriptor
    }

    /// What is none is put aside, and told.
    func segments(_ tell: (String) -> Void) throws(StoreError) -> [JournalSegment] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        var segments: [JournalSegment] = []
        for name in names where name.hasPrefix(Self.prefix) {
            let place = path + "/" + name
            if let segment = try JournalSegment.open(place) {
                if segment.size > JournalFrame.segmentHead { segments.append(segment) } else { unlink(place) }
            } else {
                let aside = path + "/damaged-" + name
                rename(place, aside)
                tell("\(place) does not begin as a segment does: what it holds is not read, and kept as \(aside)")
            }
        }
        return segments
    }

    /// A new one, whose name is on the disk.
    func make(bytes: Int) throws(StoreError) -> JournalSegment {
        var slot = 1
        while access("\(path)/\(Self.prefix)\(slot)", F_OK) == 0 { slot += 1 }
        let segment = try JournalSegment.make("\(path)/\(Self.prefix)\(slot)", bytes: bytes)
        do throws(StoreError) {
            try Self.sync(path)
        } catch {
            unlink(segment.path)
            throw error
        }
        return segment
    }

    /// All names in the folder are on the disk.
    private static func sync(_ path: String) throws(StoreError) {
        let folder = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw JournalSegment.failure("open", path) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw JournalSegment.failure("sync", path) }
    }

    func remove(_ segments: [JournalSegment]) {
        for segment in segments { unlink(segment.path) }
    }
}

extension JournalFolder {
    /// Copies the segments that a database's journal has at this moment; whoever writes to them goes on. False where there are
    /// none. What has been written in part is copied in part.
    static func copy(of source: String, to target: String) throws(StoreError) -> Bool {
        let (from, to) = (path(of: source), path(of: target))
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: from)) ?? []).filter { $0.hasPrefix(prefix) }
        guard !names.isEmpty else { return false }
        guard mkdir(to, 0o700) == 0 || errno == EEXIST else { throw JournalSegment.failure("make the folder", to) }
        for name in names {
            do {
                try FileManager.default.copyItem(atPath: from + "/" + name, toPath: to + "/" + name)
            } catch {
                // One that is gone was sorted in.
                guard access(from + "/" + name, F_OK) != 0 else {
                    throw StoreError(.failed, "cannot copy \(from)/\(name): \(error)")
                }
            }
        }
        return true
    }

    /// Removes the folder of a database's journal, which holds nothing more.
    static func remove(of database: String) {
        try? FileManager.default.removeItem(atPath: path(of: database))
    }
}
