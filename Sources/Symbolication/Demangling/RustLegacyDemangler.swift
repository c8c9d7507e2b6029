// SPDX-License-Identifier: Apache-2.0

/// Rust's first mangling: `_ZN…E` as in C++, with a hash for a last component and escapes for what C++ cannot spell.
enum RustLegacyDemangler {
    private static let escapes: [Substring: String] = [
        "SP": "@", "BP": "*", "RF": "&", "LT": "<", "GT": ">", "LP": "(", "RP": ")", "C": ",",
    ]

    /// Nil for what is not this mangling; then it may be C++.
    static func demangle(_ symbol: String) -> String? {
        guard symbol.hasPrefix("_ZN") else { return nil }
        var rest = symbol.utf8.dropFirst(3)
        var components: [Substring] = []
        while rest.first != UInt8(ascii: "E") {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard let length = Int(Substring(digits)), length > 0, length <= rest.count - digits.count else {
                return nil
            }
            rest = rest.dropFirst(digits.count)
            components.append(Substring(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        guard components.count > 1, let hash = components.last, isHash(hash) else { return nil }
        let suffix = rest.dropFirst()
        guard suffix.isEmpty || suffix.first == UInt8(ascii: ".") else { return nil }
        let path = components.dropLast().map(decode).joined(separator: "::")
        return path + Demangler.cloneSuffix(Substring(suffix))
    }

    private static func isHash(_ component: Substring) -> Bool {
        component.utf8.count == 17 && component.first == "h" && component.dropFirst().allSatisfy { $0.isHexDigit }
    }

    private static func decode(_ component: Substring) -> String {
        var rest = component.hasPrefix("_$") ? component.dropFirst() : component
        var result = ""
        while let first = rest.first {
            if rest.hasPrefix("..") {
                result += "::"
                rest = rest.dropFirst(2)
            } else if first == "$", let (text, remaining) = escape(rest) {
                result += text
                rest = remaining
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    private static func escape(_ text: Substring) -> (String, Substring)? {
        let body = text.dropFirst()
        guard let end = body.firstIndex(of: "$") else { return nil }
        let name = body[..<end]
        let rest = body[body.index(after: end)...]
        if let known = escapes[name] { return (known, rest) }
        guard name.first == "u", let value = UInt32(name.dropFirst(), radix: 16), let scalar = Unicode.Scalar(value),
            scalar.properties.generalCategory != .control
        else { return nil }
        return (String(Character(scalar)), rest)
    }
}
