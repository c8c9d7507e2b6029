// SPDX-License-Identifier: Apache-2.0

/// What a compiler appends to the name of a function that it made of another: `.cold`, `.part.0`, `.isra.0`.
struct CloneSuffix {
    /// `cold`, `part` or `specialised`; nil for what only makes a name unique.
    let note: String?

    /// Nil where `symbol` is no clone of the function `shown`.
    init?(of symbol: String, shown: String) {
        let (symbol, shown) = (Substring(symbol), Substring(shown))
        let base = symbol.prefix { $0 != "." }
        guard base.count < symbol.count, !base.isEmpty, base == shown.prefix(while: { $0 != "." }) else { return nil }
        note = Self.note(symbol.dropFirst(base.count))
    }

    /// Of a name by itself.
    init?(_ symbol: String) {
        guard let dot = symbol.firstIndex(of: "."), dot != symbol.startIndex else { return nil }
        note = Self.note(symbol[dot...])
    }

    private static func note(_ suffix: Substring) -> String? {
        let words = suffix.split(separator: ".")
        if words.contains("cold") { return "cold" }
        if words.contains("part") { return "part" }
        return words.contains { ["isra", "constprop", "lto_priv", "specialized"].contains($0) && $0 != "lto_priv" }
            ? "specialised" : nil
    }
}
