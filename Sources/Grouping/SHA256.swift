// SPDX-License-Identifier: Apache-2.0
import CVakaDigest

/// SHA-256 (FIPS 180-4), for fingerprints that must be equal on every machine and in every version.
package enum SHA256 {
    /// The first 128 bits of the hash of the parts, each ended by a zero byte, in hexadecimal.
    package static func fingerprint(_ parts: [String]) -> String {
        var bytes: [UInt8] = []
        for part in parts {
            bytes += Array(part.utf8)
            bytes.append(0)
        }
        return String(hex(bytes).prefix(32))
    }

    package static func hex(_ message: [UInt8]) -> String {
        var hash = vaka_sha256()
        vaka_sha256_begin(&hash)
        vaka_sha256_add(&hash, message, message.count)
        var digest = [UInt8](repeating: 0, count: Int(VAKA_SHA256_BYTES))
        vaka_sha256_end(&hash, &digest)
        return digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
