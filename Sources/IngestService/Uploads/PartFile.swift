// SPDX-License-Identifier: Apache-2.0
import CSodium
import Glibc

/// What has come of an upload, open and locked: nobody else writes to it meanwhile.
final class PartFile {
    /// Of a file's bytes: the one senders know it by, and the one that damaged files are remembered by.
    struct Digests {
        var sha256: String
        var content: String
    }

    private var descriptor: Int32
    private(set) var size: Int64

    init(_ path: String) throws(APIError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw FileSink.failure("open the upload") }
        size = Int64(status.st_size)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            descriptor = -1
            throw APIError(
                503, "upload_busy", "another request is at this upload; try again when it has ended",
                headers: [("Retry-After", "2")])
        }
    }

    deinit { closeFile() }

    func append(_ bytes: UnsafeRawBufferPointer) throws(APIError) {
        var rest = bytes
        while !rest.isEmpty {
            let written = write(descriptor, rest.baseAddress, rest.count)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw FileSink.failure("write the upload") }
            size += Int64(written)
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    func sync() throws(APIError) {
        guard fsync(descriptor) == 0 else { throw FileSink.failure("store the upload") }
    }

    func digests() throws(APIError) -> Digests {
        var sha256 = crypto_hash_sha256_state()
        crypto_hash_sha256_init(&sha256)
        let content = ContentHash()
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        var offset: Int64 = 0
        while offset < size {
            let count = pread(descriptor, &chunk, chunk.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileSink.failure("read the upload") }
            crypto_hash_sha256_update(&sha256, chunk, UInt64(count))
            chunk.withUnsafeBytes { content.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            offset += Int64(count)
        }
        var digest = [UInt8](repeating: 0, count: 32)
        crypto_hash_sha256_final(&sha256, &digest)
        return Digests(
            sha256: digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(), content: content.finish())
    }

    func closeFile() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
    }
}
