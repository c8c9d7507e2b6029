// SPDX-License-Identifier: Apache-2.0
import CSodium
import EventStore
import FoundationEssentials
import VakaModel

/// Makes and checks keys, tokens and links. Only their hashes are stored.
enum Secrets {
    static let prefixLength = 11
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// libsodium must be ready before anything else here is called.
    static func prepare() throws(ServiceError) {
        guard sodium_init() >= 0 else { throw ServiceError("libsodium cannot find a source of randomness") }
    }

    /// 256 random bits in 43 characters that need no quoting anywhere.
    static func random() -> String {
        var bytes = [UInt8](repeating: 0, count: 32)
        randombytes_buf(&bytes, bytes.count)
        return base64(bytes)
    }

    static func makeKey() -> String { "vk_" + random() }
    static func makeToken() -> String { "va_" + random() }

    static func hash(_ secret: String) -> [UInt8] {
        let input = Array(secret.utf8)
        var output = [UInt8](repeating: 0, count: 32)
        crypto_generichash(&output, output.count, input, UInt64(input.count), nil, 0)
        return output
    }

    /// A value that proves knowledge of `secret` for one purpose without giving it away.
    static func derived(_ secret: String, for purpose: String) -> String {
        base64(hash(purpose + "\0" + secret))
    }

    /// A text of the alphabet, written otherwise each time, so that the size of a compressed page tells nothing of it.
    static func masked(_ text: String) -> String {
        let characters = text.utf8.compactMap { alphabet.firstIndex(of: $0) }
        let mask = characters.map { _ in Int(randombytes_uniform(64)) }
        return String(decoding: (mask + zip(mask, characters).map { $0 ^ $1 }).map { alphabet[$0] }, as: UTF8.self)
    }

    /// What was masked; empty for all else.
    static func unmasked(_ text: String) -> String {
        let characters = text.utf8.compactMap { alphabet.firstIndex(of: $0) }
        guard characters.count == text.utf8.count, characters.count.isMultiple(of: 2) else { return "" }
        let half = characters.count / 2
        return String(
            decoding: zip(characters.prefix(half), characters.suffix(half)).map { alphabet[$0 ^ $1] }, as: UTF8.self)
    }

    static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && sodium_memcmp(one, other, one.count) == 0
    }

    /// In a time that does not tell where they differ.
    static func equal(_ one: String, _ other: String) -> Bool {
        equal(hash(one), hash(other))
    }

    static func credential(
        _ kind: Credential.Kind, _ secret: String, name: String? = nil, scopes: [Permission] = [],
        expires: Timestamp? = nil
    ) -> Credential {
        Credential(
            kind: kind, prefix: String(secret.prefix(prefixLength)), hash: hash(secret), name: name,
            scopes: scopes.map(\.rawValue).joined(separator: " "), expires: expires)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                result.append(alphabet[Int(bits >> count & 63)])
            }
        }
        if count > 0 { result.append(alphabet[Int(bits << (6 - count) & 63)]) }
        return String(decoding: result, as: UTF8.self)
    }
}
