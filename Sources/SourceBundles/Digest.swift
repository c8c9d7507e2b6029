// SPDX-License-Identifier: Apache-2.0
import CMessageDigest

/// Checksums of a file's contents.
package enum Digest {
    package static func md5(_ bytes: [UInt8]) -> [UInt8] {
        var context = MD5_CTX()
        var result = [UInt8](repeating: 0, count: Int(MD5_DIGEST_LENGTH))
        MD5Init(&context)
        MD5Update(&context, bytes, bytes.count)
        MD5Final(&result, &context)
        return result
    }

    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var context = SHA2_CTX()
        var result = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        SHA256Init(&context)
        SHA256Update(&context, bytes, bytes.count)
        SHA256Final(&result, &context)
        return result
    }

    package static func hex(_ digest: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
