// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The bytes of a symbol cache: a mapped file, or memory that the build made.
final class CacheBytes: @unchecked Sendable {
    // Sendable: the bytes do not change after init.
    let bytes: UnsafeRawBufferPointer
    private let isMapped: Bool

    /// Takes over memory of malloc.
    init(owning start: UnsafeMutablePointer<UInt8>, count: Int) {
        bytes = UnsafeRawBufferPointer(start: start, count: count)
        isMapped = false
    }

    /// Maps a file, which is replaced by renaming and never written in place.
    init(path: String) throws(SymbolCacheError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw SymbolCacheError(
                .unreadable, path: path, "cannot be opened: \(String(cString: strerror(errno))); check path and rights")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw SymbolCacheError(.unreadable, path: path, "is no regular file; name a symbol cache")
        }
        guard status.st_size > 0 else {
            throw SymbolCacheError(.notACache, path: path, "is empty, no symbol cache")
        }
        guard let base = mmap(nil, status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0), base != MAP_FAILED else {
            throw SymbolCacheError(.unreadable, path: path, "cannot be mapped: \(String(cString: strerror(errno)))")
        }
        bytes = UnsafeRawBufferPointer(start: base, count: status.st_size)
        isMapped = true
    }

    deinit {
        let base = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        if isMapped {
            munmap(base, bytes.count)
        } else {
            free(base)
        }
    }
}
