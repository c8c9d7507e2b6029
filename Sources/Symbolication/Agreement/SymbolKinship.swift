// SPDX-License-Identifier: Apache-2.0

/// Whether two symbols are names of one function by their form alone.
enum SymbolKinship {
    /// Constructors and destructors of all kinds alike; what a compiler or a library puts before or behind a name left out.
    static func areKin(_ one: String, _ other: String) -> Bool {
        if one == other { return true }
        let (a, b) = (base(one), base(other))
        return a == b || Demangler.readable(a) == Demangler.readable(b) && a != one && b != other
            || plain(a) == plain(b)
    }

    /// Without what follows a dot, and without the numbers of the kinds of constructors and destructors: `C1E` is `CE`.
    private static func base(_ name: String) -> String {
        let bytes = Array(name.utf8.prefix { $0 != UInt8(ascii: ".") })
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() where !isKind(bytes, index) { kept.append(byte) }
        return String(decoding: kept, as: UTF8.self)
    }

    private static func isKind(_ bytes: [UInt8], _ index: Int) -> Bool {
        guard index > 0, index + 1 < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "5")).contains(bytes[index])
        else { return false }
        let (before, behind) = (bytes[index - 1], bytes[index + 1])
        return (before == UInt8(ascii: "C") || before == UInt8(ascii: "D"))
            && (behind == UInt8(ascii: "E") || behind == UInt8(ascii: "I"))
    }

    /// `__GI___libc_malloc` and `malloc`.
    private static func plain(_ name: String) -> Substring {
        var rest = name[...]
        for prefix in ["__GI_", "__libc_", "__", "_"] where rest.hasPrefix(prefix) && rest.count > prefix.count + 1 {
            rest = rest.dropFirst(prefix.count)
        }
        return rest
    }
}
