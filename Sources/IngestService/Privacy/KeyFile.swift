// SPDX-License-Identifier: Apache-2.0
import CSodium
import EventStore
import FoundationEssentials
import Glibc

/// A key in a file: 32 bytes, as they are or as 64 hexadecimal digits.
struct KeyFile: PayloadSealing {
    /// Begins what is sealed; then come the nonce and what XChaCha20-Poly1305 makes of the payload.
    private static let magic = Array("VKS1".utf8)
    private static let nonceBytes = 24
    private static let tagBytes = 16
    private let key: [UInt8]

    init(path: String) throws(ServiceError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw ServiceError.system("cannot read the key file \(path)") }
        guard status.st_mode & 0o077 == 0 else {
            throw ServiceError("others may read the key file \(path); chmod 600 it")
        }
        guard let data = try? Data(contentsOf: URL(filePath: path)), let key = Self.key([UInt8](data)) else {
            throw ServiceError(
                "the key file \(path) must hold 32 bytes, or 64 hexadecimal digits: head -c 32 /dev/urandom > FILE makes one"
            )
        }
        self.key = key
    }

    private static func key(_ bytes: [UInt8]) -> [UInt8]? {
        if bytes.count == 32 { return bytes }
        let digits = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
        guard digits.utf8.count == 64, digits.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else {
            return nil
        }
        return stride(from: 0, to: 64, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) }
    }

    func seal(_ payload: Data) -> Data {
        var nonce = [UInt8](repeating: 0, count: Self.nonceBytes)
        randombytes_buf(&nonce, nonce.count)
        let input = [UInt8](payload)
        var output = [UInt8](repeating: 0, count: input.count + Self.tagBytes)
        crypto_aead_xchacha20poly1305_ietf_encrypt(
            &output, nil, input, UInt64(input.count), Self.magic, UInt64(Self.magic.count), nil, nonce, key)
        return Data(Self.magic + nonce + output)
    }

    func open(_ payload: Data) -> Data? {
        guard payload.starts(with: Self.magic) else { return payload }
        let sealed = [UInt8](payload.dropFirst(Self.magic.count))
        guard sealed.count >= Self.nonceBytes + Self.tagBytes else { return nil }
        let input = Array(sealed[Self.nonceBytes...])
        var output = [UInt8](repeating: 0, count: max(1, input.count - Self.tagBytes))
        let result = crypto_aead_xchacha20poly1305_ietf_decrypt(
            &output, nil, nil, input, UInt64(input.count), Self.magic, UInt64(Self.magic.count), sealed, key)
        return result == 0 ? Data(output.prefix(input.count - Self.tagBytes)) : nil
    }
}
