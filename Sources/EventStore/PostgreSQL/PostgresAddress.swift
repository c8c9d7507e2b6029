// SPDX-License-Identifier: Apache-2.0

/// How people name a database: `postgres://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE[?OPTIONS]`.
package enum PostgresAddress {
    /// The same without passwords, to be kept and shown.
    package static func withoutSecrets(_ address: String) -> String {
        guard let scheme = address.firstRange(of: "://") else { return address }
        let rest = address[scheme.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        var host = rest[..<end]
        if let at = host.lastIndex(of: "@") {
            let user = host[..<at].prefix { $0 != ":" }
            host = user + host[at...]
        }
        return address[..<scheme.upperBound] + host + options(rest[end...])
    }

    private static func options(_ tail: Substring) -> String {
        let parts = tail.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return String(tail) }
        let kept = parts[1].split(separator: "&").filter { option in
            !["password", "sslpassword"].contains(option.prefix { $0 != "=" })
        }
        return parts[0] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }
}
