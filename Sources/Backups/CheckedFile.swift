// SPDX-License-Identifier: Apache-2.0
import CSodium
import Glibc

/// Files read from end to end: their SHA-256, and copies of them.
enum CheckedFile {
    struct Contents: Equatable {
        var bytes: Int64
        var sha256: String
    }

    private static let pieceBytes = 1 << 20

    /// Nil where there is no such file.
    static func contents(_ path: String) throws(BackupError) -> Contents? {
        guard let input = try openExisting(path) else { return nil }
        defer { close(input) }
        return try pump(input, path) { (_) throws(BackupError) in }
    }

    /// Copies into a new file for its owner alone, and syncs it. Nil where there is no such file.
    static func copy(_ path: String, to target: String) throws(BackupError) -> Contents? {
        guard let input = try openExisting(path) else { return nil }
        defer { close(input) }
        let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw .system("cannot make \(target)") }
        defer { close(output) }
        let contents = try pump(input, path) { (bytes) throws(BackupError) in try write(bytes, output, target) }
        guard fsync(output) == 0 else { throw .system("cannot write \(target)") }
        return contents
    }

    private static func openExisting(_ path: String) throws(BackupError) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if descriptor >= 0 { return descriptor }
        guard errno == ENOENT else { throw .system("cannot read \(path)") }
        return nil
    }

    private static func pump(
        _ input: Int32, _ path: String,
        _ take: (UnsafeRawBufferPointer) throws(BackupError) -> Void
    ) throws(BackupError) -> Contents {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
        defer { buffer.deallocate() }
        var state = crypto_hash_sha256_state()
        crypto_hash_sha256_init(&state)
        var total: Int64 = 0
        while true {
            let count = read(input, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system("cannot read \(path)") }
            guard count > 0 else { break }
            crypto_hash_sha256_update(&state, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(count))
            total += Int64(count)
            try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256_final(&state, &digest)
        return Contents(bytes: total, sha256: digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer, _ output: Int32, _ target: String
    ) throws(BackupError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(output, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system("cannot write \(target)") }
            rest = rest.dropFirst(count)
        }
    }
}
