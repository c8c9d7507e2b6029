// SPDX-License-Identifier: Apache-2.0

/// Scheme, host and port of a page's address, written as browsers write them: `https://shop.example:8443`.
public enum WebOrigin {
    /// Of an `http` or `https` address; nil for any other, and for what is none.
    public static func of(_ url: String) -> String? {
        guard let parts = Parts(url) else { return nil }
        return parts.origin
    }

    /// An address without user, password, query and fragment; of one that is not `http` or `https` only the scheme is kept.
    public static func withoutSecrets(_ url: String) -> String {
        if let parts = Parts(url) { return parts.origin + parts.path }
        let scheme = url.prefix { $0 != ":" }
        let isScheme = scheme.count < url.count && !scheme.isEmpty && scheme.utf8.allSatisfy(isSchemeByte)
        return isScheme ? scheme.lowercased() + ":" : ""
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private struct Parts {
        var origin: String
        var path: String

        init?(_ url: String) {
            guard url.utf8.count <= 8192, let colon = url.firstIndex(of: ":") else { return nil }
            let scheme = url[..<colon].lowercased()
            let rest = url[url.index(after: colon)...]
            guard scheme == "http" || scheme == "https", rest.hasPrefix("//") else { return nil }
            let body = rest.dropFirst(2)
            let authority = body.prefix { !"/?#\\".contains($0) }
            // Whatever stands before the last @ is user and password.
            let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
            guard let host = Self.host(place.lowercased(), scheme) else { return nil }
            origin = scheme + "://" + host
            path = String(body.dropFirst(authority.count).prefix { $0 != "?" && $0 != "#" })
        }

        /// Without the port that the scheme has by itself.
        private static func host(_ text: String, _ scheme: String) -> String? {
            let end = text.hasPrefix("[") ? text.firstIndex(of: "]").map(text.index(after:)) : text.firstIndex(of: ":")
            let name = text[..<(end ?? text.endIndex)]
            let after = text[name.endIndex...]
            guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
                !text.hasPrefix("[") || name.hasSuffix("]")
            else { return nil }
            guard after.hasPrefix(":") else { return after.isEmpty ? String(name) : nil }
            guard let port = UInt16(after.dropFirst()) else { return after.count == 1 ? String(name) : nil }
            return port == (scheme == "http" ? 80 : 443) ? String(name) : "\(name):\(port)"
        }
    }
}
