// SPDX-License-Identifier: Apache-2.0

/// Where a program serves its bridges.
public enum ObservationEndpoint: Hashable, Sendable {
    /// A socket file. It is connected to only where it belongs to this user.
    case socket(path: String)
    /// A port of 127.0.0.1, and the token that its server wants.
    case loopback(port: UInt16, token: String)

    /// Reads `http://127.0.0.1:PORT` (or `localhost`); nil for anything else: a bridge is not reached over a network.
    public init?(url: String, token: String) {
        let text = url.hasSuffix("/") ? String(url.dropLast()) : url
        for host in ["http://127.0.0.1:", "http://localhost:"] where text.hasPrefix(host) {
            guard let port = UInt16(text.dropFirst(host.count)), port > 0 else { return nil }
            self = .loopback(port: port, token: token)
            return
        }
        return nil
    }
}
