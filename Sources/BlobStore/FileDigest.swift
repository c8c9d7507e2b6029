// SPDX-License-Identifier: Apache-2.0
import CSodium
import Glibc

/// SHA-256 of what is in files.
package enum FileDigest {
    private static let pieceBytes = 1 << 18

    /// In hexadecimal.
    package static func sha256(file path: String) throws(BlobError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("cannot read \(path)") }
        defer { close(descriptor) }
        return try sha256(descriptor, 0..<Int64.max, path)
    }

    /// Of a piece of an open file, as far as it goes; its position stays.
    static func sha256(_ descriptor: Int32, _ piece: Range<Int64>, _ path: String) throws(BlobError) -> String {
        var state = crypto_hash_sha256_state()
        crypto_hash_sha256_init(&state)
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: pieceBytes)
        defer { buffer.deallocate() }
        var offset = piece.lowerBound
        while offset < piece.upperBound {
            let count = pread(
                descriptor, buffer, min(pieceBytes, Int(clamping: piece.upperBound - offset)), off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system("cannot read \(path)") }
            guard count > 0 else { break }
            crypto_hash_sha256_update(&state, buffer, UInt64(count))
            offset += Int64(count)
        }
        return finish(&state)
    }

    static func sha256(_ bytes: [UInt8]) -> String {
        var state = crypto_hash_sha256_state()
        crypto_hash_sha256_init(&state)
        crypto_hash_sha256_update(&state, bytes, UInt64(bytes.count))
        return finish(&state)
    }

    private static func finish(_ state: inout crypto_hash_sha256_state) -> String {
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256_final(&state, &digest)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension BlobError {
    /// With the system's reason.
    static func system(_ what: String) -> BlobError {
        BlobError(.local, "\(what): \(String(cString: strerror(errno)))")
    }
}
