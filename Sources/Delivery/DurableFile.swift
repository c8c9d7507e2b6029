// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import Glibc

/// Files that are whole or not there, whenever the power goes.
package enum DurableFile {
    /// The prefix of files that are still being written.
    package static let temporaryPrefix = ".new-"

    /// Replaces or makes `name` in `folder` (mode 0600); on return it survives a loss of power.
    package static func write(_ data: Data, name: String, folder: String) throws(StorageError) {
        let temporary = "\(folder)/\(temporaryPrefix)\(name)"
        let path = "\(folder)/\(name)"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StorageError("write", temporary) }
        do {
            defer { close(descriptor) }
            try writeAll(data, descriptor, temporary)
            guard fsync(descriptor) == 0 else { throw StorageError("flush", temporary) }
            guard rename(temporary, path) == 0 else { throw StorageError("rename a file to", path) }
        } catch let error as StorageError {
            unlink(temporary)
            throw error
        } catch {
            throw StorageError("write", temporary)
        }
        try flush(folder: folder)
    }

    /// Removes a file; one that is not there is no error.
    package static func remove(_ path: String) throws(StorageError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw StorageError("remove", path) }
    }

    /// Makes the folder's entries durable.
    package static func flush(folder: String) throws(StorageError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError("open", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw StorageError("flush", folder) }
    }

    /// Nil where there is no such file. Refuses one of more than `limit` bytes.
    package static func read(_ path: String, limit: Int = 256 << 20) throws(StorageError) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw StorageError("open", path)
        }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw StorageError("read", path) }
        guard information.st_mode & S_IFMT == S_IFREG, information.st_size <= limit else {
            throw StorageError("read", path, code: EFBIG)
        }
        var data = Data(count: Int(information.st_size))
        var done = 0
        while done < data.count {
            let got = data.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + done, $0.count - done) }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw StorageError("read", path) }
            if got == 0 { break }
            done += got
        }
        return data.prefix(done)
    }

    private static func writeAll(_ data: Data, _ descriptor: Int32, _ path: String) throws(StorageError) {
        var done = 0
        while done < data.count {
            let wrote = data.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + done, $0.count - done) }
            if wrote < 0 && errno == EINTR { continue }
            guard wrote > 0 else { throw StorageError("write", path) }
            done += wrote
        }
    }
}
