// SPDX-License-Identifier: Apache-2.0

/// The module that a mangled Swift name belongs to. A demangled name does not tell: `Array.first` may be the standard
/// library's own or a program's extension.
package enum SwiftSymbolModule {
    /// Nil for a name that is not mangled Swift, or belongs to no module (thunks, imported C).
    package static func of(_ symbol: String) -> String? {
        var rest = symbol.utf8[...]
        guard let prefix = ["$s", "_$s", "$S", "_$S"].first(where: { rest.starts(with: $0.utf8) }) else { return nil }
        rest = rest.dropFirst(prefix.utf8.count)
        guard let first = rest.first else { return nil }
        if first == UInt8(ascii: "s") { return "Swift" }
        if first == UInt8(ascii: "S") { return ofKnownType(rest.dropFirst()) }
        return identifier(&rest)
    }

    /// A substitution for a type of the standard library (`Sa` is Array); an extension's module may follow it.
    private static func ofKnownType(_ text: Substring.UTF8View) -> String? {
        var rest = text
        guard let kind = rest.popFirst(), Character(UnicodeScalar(kind)).isLetter else { return nil }
        // `So` and `SC` are modules of imported C.
        if kind == UInt8(ascii: "o") || kind == UInt8(ascii: "C") { return nil }
        if kind == UInt8(ascii: "c") { rest = rest.dropFirst() }
        if let module = identifier(&rest), rest.first == UInt8(ascii: "E") { return module }
        return kind == UInt8(ascii: "c") ? "_Concurrency" : "Swift"
    }

    /// A length and as many characters; names with word substitutions (`0…`) are not read.
    private static func identifier(_ rest: inout Substring.UTF8View) -> String? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard digits.first != UInt8(ascii: "0"), let length = Int(String(Substring(digits))), length < 1024,
            rest.count >= digits.count + length
        else { return nil }
        rest = rest.dropFirst(digits.count)
        defer { rest = rest.dropFirst(length) }
        return String(Substring(rest.prefix(length)))
    }
}
