// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Streams a body into a file of its own; bounded, and on the disk when it is finished.
final class FileSink: BodySink {
    private let path: String
    private let limit: Int64
    private var descriptor: Int32
    private var size: Int64 = 0
    private let hash = ContentHash()

    init(folder: String, limit: Int64) throws(APIError) {
        path = folder + "/upload-\(UInt64.random(in: 0 ... .max))"
        self.limit = limit
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("make a file for the upload") }
    }

    deinit { discard() }

    func write(_ bytes: UnsafeRawBufferPointer) throws(APIError) {
        guard Int64(bytes.count) <= limit - size else { throw Self.tooLarge(limit) }
        hash.add(bytes)
        var rest = bytes
        while !rest.isEmpty {
            let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw Self.failure("write the upload") }
            size += Int64(written)
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    func finish() throws(APIError) -> HTTPRequest.Body {
        guard fsync(descriptor) == 0 else { throw Self.failure("store the upload") }
        closeFile()
        return .file(path: path, size: size, hash: hash.finish())
    }

    func discard() {
        closeFile()
        unlink(path)
    }

    private func closeFile() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
    }

    static func tooLarge(_ limit: Int64) -> APIError {
        APIError(
            413, "too_large",
            "the file is larger than \(limit) bytes; strip the program and upload its .debug companion "
                + "(objcopy --only-keep-debug --compress-debug-sections), or start the server with a larger --max-upload"
        )
    }

    static func failure(_ what: String) -> APIError {
        let reason = String(cString: strerror(errno))
        return APIError(
            507, "storage", "the server cannot \(what): \(reason); free space on its data folder's disk and try again")
    }
}
