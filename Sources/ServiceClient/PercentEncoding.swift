// SPDX-License-Identifier: Apache-2.0
/// Percent encoding of a path's or a query's part: all but RFC 3986's unreserved characters.
enum PercentEncoding {
    static func encode(_ text: String) -> String {
        let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        return text.utf8.map { byte in
            if unreserved.contains(byte) { return String(UnicodeScalar(byte)) }
            let hex = String(byte, radix: 16, uppercase: true)
            return byte < 16 ? "%0" + hex : "%" + hex
        }.joined()
    }
}
