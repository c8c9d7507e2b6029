// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Writes caches so that a reader sees a whole one or none, also after a power loss.
package enum SymbolCacheWriter {
    private static let temporaryPrefix = ".vakasym-"

    static func isTemporary(_ name: String) -> Bool { name.hasPrefix(temporaryPrefix) }

    /// Replaces the file at `path`, in the same folder.
    package static func write(_ bytes: UnsafeRawBufferPointer, to path: String) throws(SymbolCacheError) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        var template = Array("\(folder)/\(temporaryPrefix)XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw failure(path) }
        let temporary = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        defer { close(descriptor) }
        guard writeAll(bytes, descriptor), fchmod(descriptor, 0o644) == 0, fsync(descriptor) == 0,
            rename(temporary, path) == 0
        else {
            let error = failure(path)
            unlink(temporary)
            throw error
        }
        let place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if place >= 0 {
            fsync(place)
            close(place)
        }
    }

    private static func writeAll(_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let written = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            done += written
        }
        return true
    }

    private static func failure(_ path: String) -> SymbolCacheError {
        SymbolCacheError(
            .unwritable, path: path,
            "cannot be written: \(String(cString: strerror(errno))); check rights and free space")
    }
}
