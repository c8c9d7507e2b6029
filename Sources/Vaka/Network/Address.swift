// SPDX-License-Identifier: Apache-2.0

/// An address as records have it.
package struct Address: Hashable, Sendable {
    /// Without user, password, query and fragment, unless they are to be kept.
    package let url: String
    package let scheme: String
    package let host: String?
    package let port: Int?
    package let path: String

    package init(_ text: String, keepsAll: Bool) {
        let rest = text.prefix { $0 != "?" && $0 != "#" }
        let parts = Self.parts(Self.withoutUsers(rest))
        scheme = parts.scheme
        let (place, path) = Self.withoutPassword(Self.withoutUser(parts.place), parts)
        self.path = path.isEmpty ? "/" : path
        (host, port) = Self.hostAndPort(place)
        url = keepsAll ? text : (scheme.isEmpty ? "" : scheme + "://") + place + path
    }

    private typealias Parts = (scheme: String, place: Substring, path: String)

    private static func parts(_ text: Substring) -> Parts {
        let colon = text.firstRange(of: "://")
        let place = text[(colon?.upperBound ?? text.startIndex)...].prefix { $0 != "/" }
        return (
            colon.map { text[..<$0.lowerBound].lowercased() } ?? "", place, String(text[place.endIndex...])
        )
    }

    /// Without what names a user behind slashes, of which browsers take any number, also without a scheme. Another may follow.
    private static func withoutUsers(_ text: Substring) -> Substring {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        let bytes = Array(text.utf8)
        let start = authority(bytes)
        var (host, position) = (start, start)
        while position > 0, position < bytes.count {
            let end = bytes[position...].firstIndex(where: isSlash) ?? bytes.endIndex
            guard let user = bytes[position..<end].lastIndex(of: UInt8(ascii: "@")) else { break }
            host = user + 1
            position = host
            while position < bytes.count, isSlash(bytes[position]) { position += 1 }
        }
        return host == start ? text : String(decoding: bytes[..<start] + bytes[host...], as: UTF8.self)[...]
    }

    /// Where it begins, behind the slashes; 0 where there is none. One slash alone, without a scheme, begins a path.
    private static func authority(_ bytes: [UInt8]) -> Int {
        var slashes = bytes.prefix(while: isOfScheme).count
        let hasScheme = slashes > 0 && slashes < bytes.count && bytes[slashes] == UInt8(ascii: ":")
        slashes = hasScheme ? slashes + 1 : 0
        let count = bytes[slashes...].prefix(while: isSlash).count
        return count > (hasScheme ? 0 : 1) ? slashes + count : 0
    }

    private static func isSlash(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") }

    static func isOfScheme(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
    }

    private static func withoutUser(_ place: Substring) -> Substring {
        place.lastIndex(of: "@").map { place[place.index(after: $0)...] } ?? place
    }

    /// Where something else than a port follows the host, it is none: the text may be a user and the beginning of a password
    /// that goes on behind a `/`, `?` or `#`.
    private static func withoutPassword(_ place: Substring, _ parts: Parts) -> (Substring, String) {
        guard !parts.scheme.isEmpty, place.first != "[", let colon = place.firstIndex(of: ":") else {
            return (place, parts.path)
        }
        let port = place[place.index(after: colon)...]
        return port.utf8.allSatisfy { (0x30...0x39).contains($0) } ? (place, parts.path) : (place[..<colon], "")
    }

    private static func hostAndPort(_ place: Substring) -> (String?, Int?) {
        guard !place.isEmpty else { return (nil, nil) }
        if place.first == "[", let end = place.lastIndex(of: "]") {
            return (place[place.index(after: place.startIndex)..<end].lowercased(), Int(place[end...].dropFirst(2)))
        }
        guard let colon = place.lastIndex(of: ":") else { return (place.lowercased(), nil) }
        return (place[..<colon].lowercased(), Int(place[colon...].dropFirst()))
    }

    /// The port that is meant where none is named.
    package var knownPort: Int? {
        if let port { return port }
        switch scheme {
        case "http", "ws": return 80
        case "https", "wss": return 443
        default: return nil
        }
    }
}
