// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

extension DebuginfodCache {
    private struct Entry {
        var path: String
        var used: Int
        var bytes: UInt64
    }

    private static let interval = 3600

    /// Removes what nobody used for long and, while the cache is larger than it may be, what was used longest ago. Does
    /// nothing when that was done within the last hour.
    package func clean(now: Int = time(nil)) {
        let mark = folder + "/.cleaned"
        var status = stat()
        if stat(mark, &status) == 0, now - status.st_mtim.tv_sec < Self.interval { return }
        guard access(folder, W_OK) == 0 else { return }
        close(open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        utimensat(AT_FDCWD, mark, nil, 0)
        var entries = self.entries().sorted { $0.used < $1.used }
        var total = entries.reduce(0) { $0 + $1.bytes }
        while let oldest = entries.first, total > limits.cacheBytes || now - oldest.used > limits.unusedSeconds {
            entries.removeFirst()
            total -= oldest.bytes
            unlink(oldest.path)
        }
        // Only empty ones go.
        for name in names(folder) { rmdir(folder + "/" + name) }
    }

    /// All files, notes and cut-off downloads included; one that is being written is young.
    private func entries() -> [Entry] {
        names(folder).flatMap { buildID in
            names(folder + "/" + buildID).compactMap { name in
                let path = "\(folder)/\(buildID)/\(name)"
                var status = stat()
                guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
                return Entry(path: path, used: status.st_mtim.tv_sec, bytes: UInt64(max(0, status.st_blocks)) * 512)
            }
        }
    }

    private func names(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}
