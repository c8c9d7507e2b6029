// SPDX-License-Identifier: Apache-2.0

/// Normal form of a demangled C++ name: scopes and name, without template arguments, parameters and results.
enum CxxName {
    static func normalise(_ name: String) -> String {
        let inlineNamespaces = ["__cxx11::", "__1::", "__ndk1::"]
        var text = name
        for inner in inlineNamespaces {
            while let range = text.firstRange(of: "::" + inner) {
                text = String(text[..<range.lowerBound]) + "::" + String(text[range.upperBound...])
            }
        }
        var parts = BracketScanner(BracketScanner(text).withoutAngles()).split("::").map(component)
        // A lambda is part of the function around it: some compilers inline it without a word, others do not.
        while parts.count > 2, parts.suffix(2) == ["{lambda}", "operator()"] { parts.removeLast(2) }
        return withoutResult(parts.joined(separator: "::"))
    }

    /// One scope: its parameters go, `(anonymous namespace)` and call operators stay.
    private static func component(_ part: String) -> String {
        if part.hasPrefix("(anonymous namespace)") { return "(anonymous namespace)" }
        if part.hasPrefix("{lambda(") || part.hasPrefix("'lambda") || part.hasPrefix("$_") { return "{lambda}" }
        if let range = part.firstRange(of: "operator()") {
            return String(part[..<range.upperBound])
        }
        let scanner = BracketScanner(part)
        return scanner.places(of: "(").first { $0 > 0 }.map { scanner.prefix($0) } ?? part
    }

    /// Template functions carry their result: `void f`.
    private static func withoutResult(_ name: String) -> String {
        if let range = name.firstRange(of: "operator"), range.lowerBound > name.startIndex {
            let before = withoutResult(String(name[..<range.lowerBound]))
            return before + name[range.lowerBound...]
        }
        if name.hasPrefix("operator") { return name }
        let scanner = BracketScanner(name)
        guard let space = scanner.places(of: " ").last else { return name }
        let rest = scanner.suffix(from: space + 1)
        return rest == "const" || rest.isEmpty ? scanner.prefix(space) : rest
    }
}
