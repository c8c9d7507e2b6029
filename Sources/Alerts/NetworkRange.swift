// SPDX-License-Identifier: Apache-2.0

/// Addresses that begin alike, as `10.0.0.0/8`.
package struct NetworkRange: Hashable, Sendable {
    private let start: [UInt8]
    private let bits: Int

    /// Nil for what is no network; an address alone is a network of one.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ NetworkAddress(String($0)) }) else { return nil }
        let all = address.bytes.count * 8
        let bits = parts.count > 1 ? Int(parts[1]) : all
        guard let bits, (0...all).contains(bits) else { return nil }
        start = address.bytes
        self.bits = bits
    }

    func contains(_ address: NetworkAddress) -> Bool {
        guard address.bytes.count == start.count else { return false }
        let whole = bits / 8
        guard address.bytes[..<whole] == start[..<whole] else { return false }
        let rest = bits % 8
        return rest == 0 || (address.bytes[whole] ^ start[whole]) >> (8 - rest) == 0
    }

    /// Networks that are not the Internet's: this machine, private ones, those between, and what no host has.
    static let notPublic: [NetworkRange] = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4",
        "::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16", "fc00::/7",
        "fe80::/10", "fec0::/10", "ff00::/8",
    ].compactMap { NetworkRange($0) }
}
