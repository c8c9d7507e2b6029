// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Under what exchanges are counted together: the host, and the method with the path, in which what looks like an id is
/// `{id}`.
package struct NetworkRoute: Hashable, Sendable {
    package var site: String
    package var route: String

    private static let mostParts = 12
    private static let longest = 200

    package init(site: String, route: String) {
        self.site = site
        self.route = route
    }

    package init(_ record: NetworkRequestEvent) {
        let (authority, path) = Self.parts(of: record.url)
        site = Self.bounded(record.host ?? authority)
        let parts = (record.path ?? path).prefix { $0 != "?" && $0 != "#" }
            .split(separator: "/", omittingEmptySubsequences: true)
        let names = parts.prefix(Self.mostParts).map { Self.isID($0) ? "{id}" : String($0) }
        let rest = parts.count > Self.mostParts ? "/…" : ""
        route = Self.bounded(record.method + " /" + names.joined(separator: "/") + rest)
    }

    private static func bounded(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(longest)))
    }

    private static func parts(of url: String) -> (authority: String, path: String) {
        guard let start = url.firstRange(of: "://")?.upperBound else { return ("", url) }
        let rest = url[start...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        let authority = rest[..<end]
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return (String(host), String(rest[end...]))
    }

    /// Numbers, UUIDs, digests, addresses of people, and long words with digits among the letters.
    private static func isID(_ part: Substring) -> Bool {
        let bytes = part.utf8
        let digits = bytes.count { (0x30...0x39).contains($0) }
        if digits > 0, digits == bytes.count || bytes.contains(UInt8(ascii: "@")) { return true }
        if bytes.contains(UInt8(ascii: "@")) || bytes.starts(with: "%40".utf8) { return true }
        let isHex = bytes.allSatisfy { Character(UnicodeScalar($0)).isHexDigit || $0 == UInt8(ascii: "-") }
        if isHex, digits > 0, bytes.count >= 8 { return true }
        return bytes.count >= 4 && (digits * 2 >= bytes.count || (bytes.count >= 20 && digits >= 3))
    }
}
