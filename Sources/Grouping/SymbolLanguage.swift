// SPDX-License-Identifier: Apache-2.0

/// The language of a symbol, by its own mangling: a Swift program's stack holds C and C++ frames too.
enum SymbolLanguage: Sendable {
    case swift, rust, cxx, c

    static func of(symbol: String?, function: String) -> SymbolLanguage {
        guard let symbol, symbol != function else { return byName(function) }
        if symbol.hasPrefix("$s") || symbol.hasPrefix("_$s") || symbol.hasPrefix("$S") || symbol.hasPrefix("_T0") {
            return .swift
        }
        if symbol.hasPrefix("_R") { return .rust }
        if symbol.hasPrefix("_Z") { return isLegacyRust(symbol) ? .rust : .cxx }
        return byName(function)
    }

    /// Legacy Rust symbols end in a hash: `17h`, 16 hexadecimal digits, `E`.
    private static func isLegacyRust(_ symbol: String) -> Bool {
        let bare = Array(NameNormalizer.withoutSuffixes(symbol).utf8)
        guard bare.count > 20, bare.last == UInt8(ascii: "E") else { return false }
        let hash = bare[(bare.count - 20)..<(bare.count - 1)]
        return hash.starts(with: Array("17h".utf8))
            && hash.dropFirst(3).allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    }

    private static func byName(_ name: String) -> SymbolLanguage {
        for start in ["closure #", "specialized ", "generic specialization ", "partial apply ", "implicit closure #"]
        where name.hasPrefix(start) {
            return .swift
        }
        if name.contains(" -> ") { return .swift }
        return name.contains("::") ? .cxx : .c
    }
}
