// SPDX-License-Identifier: Apache-2.0
import CVakaDigest

/// SHA-256 of bytes as they come.
package struct DigestStream {
    private var hash = vaka_sha256()

    package init() {
        vaka_sha256_begin(&hash)
    }

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        vaka_sha256_add(&hash, bytes.baseAddress, bytes.count)
    }

    /// In lowercase hexadecimal; nothing may be added afterwards.
    package mutating func finish() -> String {
        var digest = [UInt8](repeating: 0, count: Int(VAKA_SHA256_BYTES))
        vaka_sha256_end(&hash, &digest)
        return digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
