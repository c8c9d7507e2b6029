// SPDX-License-Identifier: Apache-2.0

/// Names whose values are secrets whatever they look like.
package struct SecretNames: Hashable, Sendable {
    private static let parts = [
        "password", "passwd", "passphrase", "secret", "apikey", "accesskey", "accountkey", "privatekey",
        "authorization",
        "credential", "accesstoken", "authtoken", "refreshtoken", "idtoken", "sessiontoken", "apitoken", "bearertoken",
        "csrftoken", "connectionstring", "cookie",
    ]
    /// Those at the end of a name only.
    private static let ends = ["token", "pwd"]
    private static let longest = 256

    private struct Part: Hashable {
        var bytes: [UInt8]
        var isWhole = false
        var isEnd = false
    }

    /// By the first byte.
    private let byFirst: [[Part]]
    /// A bit for each pair of bytes that some part begins with.
    private let pairs: [UInt64]

    /// `own` are further names; case, `_`, `-`, `.` and spaces do not matter.
    package init(own: [String] = []) {
        let parts =
            Self.parts.map { Part(bytes: Array($0.utf8)) } + Self.ends.map { Part(bytes: Array($0.utf8), isEnd: true) }
            + own.map { Part(bytes: $0.utf8.filter { !Self.isSeparator($0) }.map(Self.folded), isWhole: true) }
        var byFirst = [[Part]](repeating: [], count: 256)
        for part in parts where !part.bytes.isEmpty { byFirst[Int(part.bytes[0])].append(part) }
        self.byFirst = byFirst
        var pairs = [UInt64](repeating: 0, count: 1024)
        for part in parts where !part.bytes.isEmpty {
            for second in 0..<256 where Self.mayFollow(UInt8(second), part.bytes) {
                let pair = Int(part.bytes[0]) << 8 | second
                pairs[pair >> 6] |= 1 << UInt64(pair & 63)
            }
        }
        self.pairs = pairs
    }

    private static func mayFollow(_ second: UInt8, _ part: [UInt8]) -> Bool {
        part.count < 2 || isSeparator(second) || folded(second) == part[1]
    }

    func contains(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard name.count <= Self.longest else { return false }
        return pairs.withUnsafeBufferPointer { pairs in
            for start in name.indices {
                let first = Self.folded(name[start])
                let pair = Int(first) << 8 | (start + 1 < name.count ? Int(name[start + 1]) : 0x20)
                guard pairs[pair >> 6] & (1 << UInt64(pair & 63)) != 0 else { continue }
                if byFirst[Int(first)].contains(where: { Self.fits($0, name, start) }) { return true }
            }
            return false
        }
    }

    private static func fits(_ part: Part, _ name: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
        if part.isWhole, name[..<start].contains(where: { !isSeparator($0) }) { return false }
        var position = start
        for byte in part.bytes {
            while position < name.count, isSeparator(name[position]) { position += 1 }
            guard position < name.count, folded(name[position]) == byte else { return false }
            position += 1
        }
        return !(part.isWhole || part.isEnd) || name[position...].allSatisfy(isSeparator)
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: " ")
    }

    private static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }
}
