// SPDX-License-Identifier: Apache-2.0

/// An http or https address of which every part is known, so that no two readers of it take it for different hosts.
package struct WebAddress: Hashable, Sendable {
    let scheme: String
    /// A name or an address, without brackets.
    let host: String
    let port: UInt16
    /// With the query; begins with a slash.
    let path: String

    static let longest = 2000

    /// - Throws: what is wrong with it, for the person who wrote it.
    package init(_ text: String) throws(AlertFailure) {
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            !text.contains("\\")
        else { throw AlertFailure("the address must be of printable ASCII without spaces, \(Self.longest) at most") }
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["http", "https"].contains(parts[0]) else {
            throw AlertFailure("the address must begin with https:// or http://")
        }
        let end = parts[1].firstIndex { "/?#".contains($0) } ?? parts[1].endIndex
        let authority = parts[1][..<end]
        let rest = parts[1][end...].prefix { $0 != "#" }
        guard !authority.contains("@") else {
            throw AlertFailure("the address must have no user or password in it")
        }
        guard let (host, port) = Self.hostAndPort(authority) else {
            throw AlertFailure("\"\(authority)\" is no host, nor a host with its port")
        }
        scheme = String(parts[0])
        self.host = host
        self.port = port ?? (scheme == "https" ? 443 : 80)
        path = rest.hasPrefix("/") ? String(rest) : "/" + rest
    }

    var hostInURL: String { host.contains(":") ? "[\(host)]" : host }
    var url: String { "\(scheme)://\(hostInURL):\(port)\(path)" }

    private static func hostAndPort(_ authority: Substring) -> (String, UInt16?)? {
        if authority.hasPrefix("[") {
            guard let close = authority.firstIndex(of: "]"),
                let address = NetworkAddress(String(authority[authority.index(after: authority.startIndex)..<close])),
                address.bytes.count == 16
            else { return nil }
            return port(authority[authority.index(after: close)...]).map { (address.description, $0) }
        }
        let host = authority.prefix { $0 != ":" }.lowercased()
        let letters = host.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
        guard !host.isEmpty, host.utf8.count <= 253, letters, !host.hasPrefix("."), !host.contains("..") else {
            return nil
        }
        // What looks like a number is one, of four parts: other ways to write one are read in different ways.
        let last = host.split(separator: ".").last ?? ""
        if last.allSatisfy(\.isNumber) || last.hasPrefix("0x"), NetworkAddress(host) == nil { return nil }
        return port(authority[authority.index(authority.startIndex, offsetBy: host.utf8.count)...]).map { (host, $0) }
    }

    /// Nil for what is no port, nil within where there is none.
    private static func port(_ text: Substring) -> UInt16?? {
        if text.isEmpty { return .some(nil) }
        guard text.hasPrefix(":"), text.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }),
            let port = UInt16(text.dropFirst()), port > 0
        else { return nil }
        return .some(port)
    }
}
