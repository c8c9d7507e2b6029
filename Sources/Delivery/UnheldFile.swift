// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Files that a process holds locked as long as it lives, and leaves when it is gone.
enum UnheldFile {
    /// A file that is not whole may be of a process that is just starting; after this it is not.
    private static let settled: time_t = 3600

    /// The file of a process that is gone, open and locked; nil while it lives.
    static func open(_ path: String) -> Int32? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    static func isSettled(_ descriptor: Int32) -> Bool {
        var information = stat()
        fstat(descriptor, &information)
        return time(nil) - information.st_mtim.tv_sec > settled
    }
}
