// SPDX-License-Identifier: Apache-2.0
import Glibc

/// An advisory lock on a file (flock), held by one open descriptor; it ends with the process, however that ends.
package final class FileLock: Sendable {
    private let descriptor: Int32

    /// Waits for the lock; makes the file where it is missing.
    package convenience init(waitingFor path: String) throws(StorageError) {
        try self.init(path, LOCK_EX)
    }

    /// Nil where another holder, of this process or another, has it.
    package static func ifFree(_ path: String) throws(StorageError) -> FileLock? {
        do {
            return try FileLock(path, LOCK_EX | LOCK_NB)
        } catch  where error.code == EWOULDBLOCK {
            return nil
        }
    }

    private init(_ path: String, _ operation: Int32) throws(StorageError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StorageError("open", path) }
        while flock(descriptor, operation) != 0 {
            guard errno != EINTR else { continue }
            let error = StorageError("lock", path)
            close(descriptor)
            throw error
        }
    }

    deinit {
        // A forked child may share the descriptor: closing ours alone would leave the lock with the child.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
