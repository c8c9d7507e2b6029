// SPDX-License-Identifier: Apache-2.0
import Glibc

/// An advisory lock on a file (flock), held by one open descriptor; it ends with the process, however that ends.
package final class FileLock: Sendable {
    private let descriptor: Int32

    /// Waits for the lock, though not for ever: its holder may have been stopped. Makes the file where it is missing.
    ///
    /// Who waits holds `<path>.next` meanwhile, which everybody needs first: whoever gives the lock up and wants it back at
    /// once, as one does who goes through many files, cannot keep the others from it.
    package convenience init(waitingFor path: String, atMost time: Duration = .seconds(5)) throws(StorageError) {
        let deadline = ContinuousClock.now + time
        let turn = try FileLock(path + ".next", deadline: deadline)
        defer { withExtendedLifetime(turn) {} }
        try self.init(path, deadline: deadline)
    }

    /// Nil where another holder, of this process or another, has it.
    package static func ifFree(_ path: String) throws(StorageError) -> FileLock? {
        do {
            return try FileLock(path, deadline: .now)
        } catch  where error.code == EWOULDBLOCK {
            return nil
        }
    }

    private init(_ path: String, deadline: ContinuousClock.Instant) throws(StorageError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StorageError("open", path) }
        var pause: useconds_t = 500
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            guard code == EINTR || (code == EWOULDBLOCK && ContinuousClock.now < deadline) else {
                close(descriptor)
                throw StorageError("lock", path, code: code)
            }
            usleep(pause)
            pause = min(pause * 2, 20_000)
        }
    }

    deinit {
        // A forked child may share the descriptor: closing ours alone would leave the lock with the child.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
