// SPDX-License-Identifier: Apache-2.0

/// Brings a function's name to the form that stays the same across builds, by the language of its symbol.
package enum NameNormalizer {
    /// Longer names are cut before anything looks at them: the bound of all work here. In scalars, for a character may
    /// have any number of them.
    static let longestName = 4096

    /// `function` is the demangled name; `symbol` the linkage name, which tells the language.
    package static func normalise(function: String, symbol: String?) -> String {
        let name = withoutSuffixes(String(function.unicodeScalars.prefix(longestName)))
        let normal =
            switch SymbolLanguage.of(symbol: symbol, function: name) {
            case .swift: SwiftName.normalise(name)
            case .rust: RustName.normalise(name)
            case .cxx: CxxName.normalise(name)
            case .c: name
            }
        return normal.isEmpty ? name : normal
    }

    private static let wordSuffixes = [
        ".cold", ".isra", ".part", ".constprop", ".llvm", ".lto_priv", ".localalias", ".resume", ".destroy", ".cleanup",
        ".specialized", ".warm", ".__uniq",
    ]

    /// Drops what compilers and linkers append: `.cold`, `.isra.0`, `.llvm.123`, `@GLIBC_2.34`, ` [clone .cold]`.
    static func withoutSuffixes(_ function: String) -> String {
        var name = Substring(function)
        while name.hasSuffix("]"), let clone = name.range(ofLast: " [clone") {
            name = name[..<clone]
        }
        if let at = name.firstIndex(of: "@"), name[at...].hasPrefix("@GLIBC") || name[at...].hasPrefix("@@") {
            name = name[..<at]
        }
        var changed = true
        while changed {
            changed = false
            let bare = name.droppingTrailingNumber
            for suffix in wordSuffixes where bare.hasSuffix(suffix) && bare.count > suffix.count {
                name = bare.dropLast(suffix.count)
                changed = true
                break
            }
        }
        return String(name)
    }
}

extension Substring {
    /// Where the last occurrence of `text` starts.
    fileprivate func range(ofLast text: String) -> Index? {
        var position = endIndex
        while position > startIndex {
            position = index(before: position)
            if self[position...].hasPrefix(text) { return position }
        }
        return nil
    }

    /// `f.cold.12` without its `.12`.
    fileprivate var droppingTrailingNumber: Substring {
        guard let dot = lastIndex(of: "."), dot > startIndex else { return self }
        let digits = self[index(after: dot)...]
        return !digits.isEmpty && digits.allSatisfy({ $0.isHexDigit }) ? self[..<dot] : self
    }
}
