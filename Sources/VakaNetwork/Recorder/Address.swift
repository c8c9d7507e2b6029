// SPDX-License-Identifier: Apache-2.0

/// An address as records have it.
struct Address: Hashable, Sendable {
    /// Without user, password, query and fragment, unless they are to be kept.
    var url: String
    var scheme: String
    var host: String?
    var port: Int?
    var path: String

    init(_ text: String, keepsAll: Bool) {
        let rest = text.prefix { $0 != "?" && $0 != "#" }
        let parts = Self.parts(rest)
        scheme = parts.scheme
        path = parts.path.isEmpty ? "/" : parts.path
        let place = Self.withoutUser(parts.place)
        (host, port) = Self.hostAndPort(place)
        url = keepsAll ? text : (parts.scheme.isEmpty ? "" : parts.scheme + "://") + place + parts.path
    }

    private static func parts(_ text: Substring) -> (scheme: String, place: Substring, path: String) {
        let colon = text.firstRange(of: "://")
        let place = text[(colon?.upperBound ?? text.startIndex)...].prefix { $0 != "/" }
        return (
            colon.map { text[..<$0.lowerBound].lowercased() } ?? "", place, String(text[place.endIndex...])
        )
    }

    private static func withoutUser(_ place: Substring) -> Substring {
        place.lastIndex(of: "@").map { place[place.index(after: $0)...] } ?? place
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
    var knownPort: Int? {
        if let port { return port }
        switch scheme {
        case "http", "ws": return 80
        case "https", "wss": return 443
        default: return nil
        }
    }
}
