// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import Glibc
import HTTPClient

/// A file to send, open as long as this lives.
final class OpenFile {
    let path: String
    let descriptor: Int32
    let size: Int64

    init(_ path: String) throws(ServiceError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var information = stat()
        guard descriptor >= 0, fstat(descriptor, &information) == 0 else {
            throw Self.unreadable(path, String(cString: strerror(errno)))
        }
        size = Int64(information.st_size)
        guard information.st_mode & S_IFMT == S_IFREG else { throw Self.unreadable(path, "it is no regular file") }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// From the file's start, for a request that reads it itself.
    func rewind() throws(ServiceError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.unreadable(path, String(cString: strerror(errno))) }
    }

    func read(_ count: Int, at offset: Int64) throws(ServiceError) -> Data {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress?.advanced(by: done), count - done, off_t(offset) + off_t(done))
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else {
                throw Self.unreadable(path, got == 0 ? "it became shorter" : String(cString: strerror(errno)))
            }
            done += got
        }
        return Data(bytes)
    }

    func sha256() throws(ServiceError) -> String {
        var digest = DigestStream()
        var offset: Int64 = 0
        while offset < size {
            let part = try read(Int(min(1 << 20, size - offset)), at: offset)
            part.withUnsafeBytes { digest.add($0) }
            offset += Int64(part.count)
        }
        return digest.finish()
    }

    private static func unreadable(_ path: String, _ reason: String) -> ServiceError {
        ServiceError(.fileUnreadable, "\(path): cannot be read (\(reason)); see that it exists and is a file")
    }
}
