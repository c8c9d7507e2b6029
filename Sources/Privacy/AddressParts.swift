// SPDX-License-Identifier: Apache-2.0

/// The parts of a URL (RFC 3986) that tell more than where a request went: user, password, query and fragment.
enum AddressParts {
    /// The address without them; nil where it has none. Of what is no URL, all from the first `?` or `#` on goes.
    static func shortened(_ address: [UInt8]) -> [UInt8]? {
        let end = address.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? address.count
        let whole = address[..<end]
        let start = authority(whole)
        let host = start == 0 ? start : host(whole[start...])
        guard host > start || end < address.count else { return nil }
        return Array(whole[..<start] + whole[host...])
    }

    /// Where it begins, behind what names a user. Slashes that come to stand behind those of the scheme go, too: another
    /// user may follow them.
    private static func host(_ rest: ArraySlice<UInt8>) -> Int {
        var host = rest.startIndex
        while host < rest.endIndex {
            let end = rest[host...].firstIndex(where: isSlash) ?? rest.endIndex
            // The last one: a password may have others in it.
            guard let user = rest[host..<end].lastIndex(of: UInt8(ascii: "@")) else { break }
            host = user + 1
            while host < rest.endIndex, isSlash(rest[host]) { host += 1 }
        }
        return host
    }

    /// Where it begins, behind the scheme's colon and the slashes, of which browsers take any number; 0 where there is none.
    private static func authority(_ address: ArraySlice<UInt8>) -> Int {
        var position = 0
        while position < address.count, isOfScheme(address[position]) { position += 1 }
        if position > 0 {
            guard position < address.count, address[position] == UInt8(ascii: ":") else { return 0 }
            position += 1
        }
        let slashes = position
        while position < address.count, isSlash(address[position]) { position += 1 }
        // One slash alone begins a path.
        return slashes == 0 && position < 2 ? 0 : position
    }

    private static func isSlash(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        ByteSet.digit.contains(byte) || (0x61...0x7a).contains(byte | 0x20)
            || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
    }
}
