// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import Glibc

/// Reads of files whose size nothing vouches for: a sparse file of many gigabytes, a device, a pipe without an end.
package enum BoundedFile {
    /// The bytes of the file or pipe at `path`; `limit` + 1 of them tell that there are more than `limit`.
    package static func read(_ path: String, limit: Int) throws(POSIXError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw lastError() }
        defer { close(file) }
        return try read(descriptor: file, limit: limit)
    }

    /// The same of an open descriptor, from where it stands.
    package static func read(descriptor: Int32, limit: Int) throws(POSIXError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = Glibc.read(descriptor, &buffer, min(buffer.count, limit + 1 - bytes.count))
            if count == 0 { break }
            if count < 0 {
                guard errno == EINTR else { throw lastError() }
                continue
            }
            bytes.append(contentsOf: buffer.prefix(count))
        }
        return bytes
    }

    /// False also where there is nothing at `path`. Symbolic links are followed.
    package static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// What the system says of the error.
    static func words(_ error: POSIXError) -> String { String(cString: strerror(error.code.rawValue)) }

    private static func lastError() -> POSIXError {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }

    /// The same of a regular file, with an error that names it.
    static func contents(of path: String, limit: Int) throws(CrashRecordError) -> [UInt8] {
        guard isRegular(path) || access(path, F_OK) != 0 else {
            throw CrashRecordError(.unreadable, "\(path): is no regular file")
        }
        do {
            return try read(path, limit: limit)
        } catch {
            throw CrashRecordError(.unreadable, "\(path): cannot be read: \(words(error))")
        }
    }
}
