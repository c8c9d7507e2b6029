// SPDX-License-Identifier: Apache-2.0
import CVakaDigest
import Testing

@testable import Delivery

/// The examples of FIPS 180-4 and of RFC 4231.
@Suite struct DigestTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func sha256(text: String, digest: String) {
        #expect(Digest.sha256(text) == digest)
    }

    /// In pieces of every size around a block's.
    @Test func piecesMakeNoDifference() {
        let message = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        func digest(pieces: Int) -> [UInt8] {
            var hash = vaka_sha256()
            vaka_sha256_begin(&hash)
            for start in stride(from: 0, to: message.count, by: pieces) {
                let piece = Array(message[start..<min(start + pieces, message.count)])
                vaka_sha256_add(&hash, piece, piece.count)
            }
            var digest = [UInt8](repeating: 0, count: Int(VAKA_SHA256_BYTES))
            vaka_sha256_end(&hash, &digest)
            return digest
        }
        for pieces in [1, 3, 55, 56, 63, 64, 65, 128, 299] { #expect(digest(pieces: pieces) == digest(pieces: 300)) }
    }

    struct Keyed: Sendable {
        var key: [UInt8]
        var data: [UInt8]
        var digest: String
    }

    static func bytes(_ value: UInt8, _ count: Int) -> [UInt8] { Array(repeating: value, count: count) }
    static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(arguments: [
        Keyed(
            key: bytes(0x0b, 20), data: text("Hi There"),
            digest: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        Keyed(
            key: text("Jefe"), data: text("what do ya want for nothing?"),
            digest: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Keyed(
            key: bytes(0xaa, 20), data: bytes(0xdd, 50),
            digest: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        Keyed(
            key: (1...25).map { $0 }, data: bytes(0xcd, 50),
            digest: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        Keyed(
            key: bytes(0xaa, 131), data: text("Test Using Larger Than Block-Size Key - Hash Key First"),
            digest: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        Keyed(
            key: bytes(0xaa, 131),
            data: text(
                "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be "
                    + "hashed before being used by the HMAC algorithm."),
            digest: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    ])
    func hmac(_ example: Keyed) {
        var digest = [UInt8](repeating: 0, count: Int(VAKA_SHA256_BYTES))
        vaka_hmac_sha256(example.key, example.key.count, example.data, example.data.count, &digest)
        let hex = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(hex == example.digest)
    }
}
