// SPDX-License-Identifier: Apache-2.0
package import DebugImages
import Glibc

/// A folder of symbol caches, one a file, found by the file's build id and what else tells it from another.
///
/// Any number of threads and processes: a cache is written under a temporary name, synced and renamed, never changed in
/// place; what is removed stays readable to those that have it open. The least recently used ones go when the folder is
/// full.
package struct SymbolCacheFolder: Sendable {
    package let path: String
    /// Bytes that all caches together may have.
    package let capacity: UInt64
    /// Bytes that making one may take in memory.
    package let memoryLimit: UInt64

    package static let defaultCapacity: UInt64 = 4 << 30
    package static let defaultMemoryLimit: UInt64 = 4 << 30
    private static let suffix = ".vakasym"
    /// A cache's time of use is written at most so often, in seconds.
    private static let useInterval = 3600

    /// The folder is made when the first cache is kept.
    package init(
        path: String, capacity: UInt64 = defaultCapacity, memoryLimit: UInt64 = defaultMemoryLimit
    ) {
        self.path = path
        self.capacity = capacity
        self.memoryLimit = memoryLimit
    }

    /// `vaka` in `XDG_CACHE_HOME`, else in `.cache` of the home folder; nil where neither is known.
    package static var standard: SymbolCacheFolder? {
        if let folder = variable("XDG_CACHE_HOME"), folder.hasPrefix("/") {
            return SymbolCacheFolder(path: folder + "/vaka")
        }
        return variable("HOME").map { SymbolCacheFolder(path: $0 + "/.cache/vaka") }
    }

    /// The kept cache of a file, whole and up to date; nil where there is none. A damaged one is removed.
    package func cache(for file: DebugSections) -> SymbolCache? {
        let place = place(of: file)
        do {
            let cache = try SymbolCache(path: place)
            guard cache.facts.sourceSize == file.identity.fileSize, isCurrent(cache) else { return nil }
            noteUse(place)
            return cache
        } catch {
            if error.code == .damaged || error.code == .truncated || error.code == .notACache { unlink(place) }
            return nil
        }
    }

    /// Writes a cache to the folder, and makes room for it.
    package func keep(_ cache: SymbolCache, for file: DebugSections) throws(SymbolCacheError) {
        try Self.makeFolder(path)
        let place = place(of: file)
        try SymbolCacheWriter.write(cache.bytes, to: place)
        trim(to: capacity, keeping: place)
    }

    /// The name under which `vaka symcache build` writes a file's cache.
    package static func name(of file: DebugSections) -> String {
        FileFingerprint(file).name + suffix
    }

    /// Names of `.dwo` files that were not there when a cache was made; at most a few.
    static func missingSplitFiles(_ cache: SymbolCache) -> [String] {
        Array(cache.companions.filter { $0.size == nil && !$0.path.hasSuffix(".dwp") }.map(\.path).prefix(4))
    }

    private func place(of file: DebugSections) -> String { path + "/" + Self.name(of: file) }

    /// The other files that it was made from are as they were.
    private func isCurrent(_ cache: SymbolCache) -> Bool {
        cache.companions.allSatisfy { SplitFiles.size($0.path) == $0.size }
    }

    private func noteUse(_ place: String) {
        var status = stat()
        guard stat(place, &status) == 0, time(nil) - status.st_mtim.tv_sec > Self.useInterval else { return }
        utimensat(AT_FDCWD, place, nil, 0)
    }

    /// Removes the least recently used caches until the rest fits, and what a stopped writer left.
    ///
    /// - Parameter keeping: stays, however large it is.
    package func trim(to mostBytes: UInt64, keeping newest: String? = nil) {
        var (total, found) = (0 as UInt64, [(used: Int, place: String, size: UInt64)]())
        for name in FolderListing.names(path) {
            let place = path + "/" + name
            var status = stat()
            guard stat(place, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            if SymbolCacheWriter.isTemporary(name) {
                if time(nil) - status.st_mtim.tv_sec > Self.useInterval { unlink(place) }
            } else if name.hasSuffix(Self.suffix) {
                total += UInt64(status.st_size)
                found.append((status.st_mtim.tv_sec, place, UInt64(status.st_size)))
            }
        }
        for entry in found.sorted(by: { ($0.used, $0.place) < ($1.used, $1.place) }) where entry.place != newest {
            guard total > mostBytes else { return }
            if unlink(entry.place) == 0 { total -= entry.size }
        }
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Makes a folder and those above it.
    package static func makeFolder(_ path: String) throws(SymbolCacheError) {
        var partial = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            partial += "/" + part
            guard mkdir(partial, 0o700) == 0 || errno == EEXIST else {
                throw SymbolCacheError(
                    .unwritable, path: partial,
                    "cannot be made: \(String(cString: strerror(errno))); check rights, or name another folder")
            }
        }
    }
}
