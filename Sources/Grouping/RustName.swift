// SPDX-License-Identifier: Apache-2.0

/// Normal form of a demangled Rust name: its path without hash, crate disambiguators and generic arguments.
enum RustName {
    static func normalise(_ name: String) -> String {
        withoutGenerics(withoutDisambiguators(withoutHash(name)))
    }

    /// `a::b::h0123456789abcdef` is `a::b`.
    private static func withoutHash(_ name: String) -> String {
        let tail = name.suffix(19)
        guard tail.count == 19, tail.hasPrefix("::h"), tail.dropFirst(3).allSatisfy({ $0.isHexDigit }) else {
            return name
        }
        return String(name.dropLast(19))
    }

    /// `crate[0123456789abcdef]::f` is `crate::f`.
    private static func withoutDisambiguators(_ name: String) -> String {
        var result = ""
        var rest = name[...]
        while let open = rest.firstIndex(of: "[") {
            result += rest[..<open]
            let inside = rest[rest.index(after: open)...].prefix { $0.isHexDigit }
            if inside.count >= 8, inside.endIndex < rest.endIndex, rest[inside.endIndex] == "]" {
                rest = rest[rest.index(after: inside.endIndex)...]
            } else {
                result.append("[")
                rest = rest[rest.index(after: open)...]
            }
        }
        return result + rest
    }

    /// Drops `::<…>`; `<T as Trait>::f` stays, for it names the function.
    private static func withoutGenerics(_ name: String) -> String {
        var result: [Character] = []
        var depth = 0
        for character in name {
            if depth > 0 {
                if character == "<" { depth += 1 }
                if character == ">", result.last != "-" { depth -= 1 }
            } else if character == "<", result.suffix(2) == [":", ":"] {
                result.removeLast(2)
                depth = 1
            } else {
                result.append(character)
            }
        }
        return String(result)
    }
}
