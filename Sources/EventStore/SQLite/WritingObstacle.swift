// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What keeps a file from being written. SQLite tells only that it failed: the system's reason is overwritten by what it does
/// next.
enum WritingObstacle {
    /// Less than this is no room.
    private static let little: UInt64 = 2 << 20

    /// Nil where nothing of the kind is found.
    static func to(_ path: String) -> StoreError.Code? {
        if takesNoFile(path + "-probe") { return .readOnly }
        var system = statvfs()
        if statvfs(path, &system) == 0, UInt64(system.f_bavail) * UInt64(system.f_frsize) < little { return .full }
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return nil }
        let largest = [path, path + "-wal"].map(size).max() ?? 0
        return largest > UInt64(limit.rlim_cur) - min(UInt64(limit.rlim_cur), little) ? .full : nil
    }

    /// The flags of a file system do not tell what its error has done. Another file than the database: closing that one
    /// would give SQLite's locks up.
    private static func takesNoFile(_ path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return errno == EROFS }
        close(descriptor)
        unlink(path)
        return false
    }

    private static func size(_ path: String) -> UInt64 {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(max(0, status.st_size)) : 0
    }
}
