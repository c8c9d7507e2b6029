// SPDX-License-Identifier: Apache-2.0

/// One request to an S3 store, to be signed.
struct S3Request {
    enum Body {
        case none
        case bytes([UInt8])
        /// A piece of an open file.
        case file(descriptor: Int32, piece: Range<Int64>, path: String)
    }

    var method: String
    /// Within the bucket; empty for the bucket itself.
    var object = ""
    var query: [String: String] = [:]
    /// `Name: value`.
    var headers: [String] = []
    var body = Body.none
    /// Where the body of a good answer goes.
    var target: Int32?
    /// Of the bodies, either way.
    var bytes: Int64 = 0

    /// Sorted and with an = in every part, as it is signed.
    var queryText: String {
        query.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { name, value in
            Self.encoded(name) + "=" + Self.encoded(value)
        }.joined(separator: "&")
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// As the signature wants it: everything but letters, digits and `-._~`.
    private static func encoded(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if BlobKey.isRightPart(String(UnicodeScalar(byte))) && byte < 0x80 || byte == UInt8(ascii: "~") {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
