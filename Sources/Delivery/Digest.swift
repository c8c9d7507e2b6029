// SPDX-License-Identifier: Apache-2.0
import CVakaDigest

/// SHA-256, in lowercase hexadecimal.
package enum Digest {
    package static func sha256(_ text: String) -> String {
        var hash = vaka_sha256()
        vaka_sha256_begin(&hash)
        let bytes = Array(text.utf8)
        vaka_sha256_add(&hash, bytes, bytes.count)
        return hex { vaka_sha256_end(&hash, $0) }
    }

    /// With a key (HMAC, RFC 2104): who does not have the key cannot tell which text it was by trying texts.
    package static func hmac(key: String, _ text: String) -> String {
        let (key, bytes) = (Array(key.utf8), Array(text.utf8))
        return hex { vaka_hmac_sha256(key, key.count, bytes, bytes.count, $0) }
    }

    private static func hex(_ fill: (UnsafeMutablePointer<UInt8>?) -> Void) -> String {
        var digest = [UInt8](repeating: 0, count: Int(VAKA_SHA256_BYTES))
        digest.withUnsafeMutableBufferPointer { fill($0.baseAddress) }
        return digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
