// SPDX-License-Identifier: Apache-2.0
import DebugImages
import VakaModel

/// A server of the debuginfod protocol.
package struct DebuginfodServer: Sendable, Hashable {
    /// As it was given, without a slash at its end; may hold a user and a password.
    let url: String
    /// What people may see of it: without user and password.
    package let name: String

    /// Throws what is wrong with the address, for people.
    package init(url: String) throws(DebuginfodError) {
        guard url.hasPrefix("http://") || url.hasPrefix("https://"),
            url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), !url.contains("?"), !url.contains("#")
        else {
            let isFile = url.hasPrefix("file:")
            throw DebuginfodError(
                "\"\(url)\" is no address of a debuginfod server: http://… or https://…"
                    + (isFile ? "; name a folder of debug files with --symbols" : ""))
        }
        var plain = url[...]
        while plain.hasSuffix("/") { plain = plain.dropLast() }
        if plain.hasSuffix("/buildid") { plain = plain.dropLast("/buildid".count) }
        self.url = String(plain)
        name = Self.withoutCredentials(plain)
        guard name.utf8.count > (name.hasPrefix("https") ? 8 : 7) else {
            throw DebuginfodError("\"\(name)\" names no host")
        }
    }

    /// The servers of `DEBUGINFOD_URLS`: addresses with spaces between. Other words are of other clients and passed over.
    package static func list(_ variable: String) throws(DebuginfodError) -> [DebuginfodServer] {
        var servers: [DebuginfodServer] = []
        for word in variable.split(whereSeparator: \.isWhitespace) where word.contains("://") {
            servers.append(try DebuginfodServer(url: String(word)))
        }
        return servers
    }

    func address(of kind: RemoteImageKind, _ buildID: BuildID) -> String {
        "\(url)/buildid/\(buildID)/\(kind.rawValue)"
    }

    private static func withoutCredentials(_ url: Substring) -> String {
        guard let scheme = url.firstRange(of: "://") else { return String(url) }
        let rest = url[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" }
        guard let at = host.lastIndex(of: "@") else { return String(url) }
        return String(url[..<scheme.upperBound] + rest[rest.index(after: at)...])
    }
}
