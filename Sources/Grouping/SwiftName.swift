// SPDX-License-Identifier: Apache-2.0

/// Normal form of a demangled Swift name: `closure in Module.Type.function(label:_:)`.
enum SwiftName {
    /// Wrappers that the compiler puts around a function; what follows is the function.
    private static let wrappers = [
        "specialized ", "merged ", "partial apply forwarder for ", "partial apply for ", "dispatch thunk of ",
        "distributed thunk for ", "vtable thunk for ", "curry thunk of ", "async function pointer to ", "static ",
        "@objc ", "@nonobjc ", "@MainActor ", "override ", "thunk for ", "block_copy_helper ", "async Main of ",
        "back deployment thunk for ", "back deployment fallback for ", "outlined read-only object #0 of ",
    ]
    /// Wrappers with something between: `generic specialization <Int> of f`.
    private static let longWrappers = [
        "generic specialization", "generic partial specialization", "function signature specialization",
        "generic not re-abstracted specialization", "generic pre-specialization", "inlined generic function",
    ]

    static func normalise(_ name: String) -> String {
        let parts = BracketScanner(unwrapped(name)).split(" in ").map(unwrapped)
        var result: [String] = []
        for part in parts {
            let normal = component(part)
            guard normal != result.last || normal != "closure" else { continue }
            result.append(normal)
        }
        return result.joined(separator: " in ")
    }

    private static func unwrapped(_ name: String) -> String {
        var rest = name
        var changed = true
        while changed {
            changed = false
            if let wrapper = wrappers.first(where: { rest.hasPrefix($0) }) {
                rest = String(rest.dropFirst(wrapper.count))
                changed = true
            } else if let next = afterLongWrapper(rest) ?? afterResume(rest) ?? witness(rest) ?? afterExtension(rest) {
                rest = next
                changed = true
            }
        }
        return rest
    }

    private static func afterLongWrapper(_ name: String) -> String? {
        guard longWrappers.contains(where: { name.hasPrefix($0) }) else { return nil }
        // The arguments may hold arrows and commas, so the first " of " outside of brackets is looked for.
        let spaced = BracketScanner(name.replacingFirst(" <", with: "<"))
        guard let place = spaced.first(" of ") else { return nil }
        return spaced.suffix(from: place + 4)
    }

    /// `(3) await resume partial function for f`.
    private static func afterResume(_ name: String) -> String? {
        guard name.hasPrefix("(") else { return nil }
        for words in [") await resume partial function for ", ") suspend resume partial function for "] {
            if let range = name.firstRange(of: words), name[..<range.lowerBound].dropFirst().allSatisfy(\.isNumber) {
                return String(name[range.upperBound...])
            }
        }
        return nil
    }

    /// `protocol witness for P.f() in conformance T` is `P.f()`.
    private static func witness(_ name: String) -> String? {
        let start = "protocol witness for "
        guard name.hasPrefix(start) else { return nil }
        let scanner = BracketScanner(name.dropFirst(start.count))
        return scanner.first(" in conformance ").map { scanner.prefix($0) } ?? String(name.dropFirst(start.count))
    }

    private static func afterExtension(_ name: String) -> String? {
        guard name.hasPrefix("(extension in "), let close = name.firstIndex(of: ")") else { return nil }
        let rest = name[name.index(after: close)...]
        return rest.hasPrefix(":") ? String(rest.dropFirst()) : nil
    }

    private static func component(_ part: String) -> String {
        // What remains of "thunk for @escaping …": a conversion between calling conventions.
        if part.hasPrefix("@") || part.hasPrefix("reabstraction thunk") { return "thunk" }
        for kind in ["implicit closure #", "autoclosure #", "closure #"] where part.hasPrefix(kind) { return "closure" }
        if part.hasPrefix("$defer #") { return "$defer" }
        let bare = BracketScanner(withoutDiscriminators(part)).withoutAngles()
        let scanner = BracketScanner(bare)
        let typed = scanner.first(" : ").map { scanner.prefix($0) } ?? bare
        return withLabels(withoutLocalNumber(typed)).trimmed
    }

    /// `Module.(name in _0123ABCD)` is `Module.name`: the discriminator changes with the file's name.
    private static func withoutDiscriminators(_ name: String) -> String {
        var rest = name
        while let range = rest.firstRange(of: " in _") {
            guard let open = rest[..<range.lowerBound].lastIndex(of: "("),
                let close = rest[range.upperBound...].firstIndex(of: ")")
            else { break }
            let inner = rest[rest.index(after: open)..<range.lowerBound]
            rest = String(rest[..<open]) + inner + String(rest[rest.index(after: close)...])
        }
        return rest
    }

    /// `helper #1 (x: Int)` is `helper(x: Int)`.
    private static func withoutLocalNumber(_ name: String) -> String {
        guard let hash = name.firstRange(of: " #") else { return name }
        let rest = name[hash.upperBound...].drop { $0.isNumber }
        return String(name[..<hash.lowerBound]) + (rest.hasPrefix(" ") ? rest.dropFirst() : rest)
    }

    /// Keeps the labels of the arguments, drops their types, effects and the result.
    private static func withLabels(_ name: String) -> String {
        let scanner = BracketScanner(name)
        guard let open = scanner.places(of: "(").last(where: { $0 > 0 }), let close = scanner.closing(of: open) else {
            return scanner.first(" -> ").map { scanner.prefix($0) } ?? name
        }
        // `f(a: Int) -> (Int)`: the arguments are the first brackets when an arrow follows them.
        if let arrow = scanner.first(" -> "), arrow < open {
            return withLabels(scanner.prefix(arrow))
        }
        let inside = String(name.dropFirst(open + 1).prefix(close - open - 1))
        return scanner.prefix(open).trimmed + "(" + labels(inside) + ")"
    }

    private static func labels(_ arguments: String) -> String {
        guard !arguments.isEmpty else { return "" }
        if arguments.hasSuffix(":"), !arguments.contains(" ") { return arguments }
        return BracketScanner(arguments).split(", ").map { argument in
            guard let colon = argument.firstIndex(of: ":") else { return "_:" }
            let label = argument[..<colon]
            return label.contains(" ") || label.contains("(") ? "_:" : label + ":"
        }.joined()
    }
}

extension String {
    var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    func replacingFirst(_ text: String, with other: String) -> String {
        guard let range = firstRange(of: text) else { return self }
        return String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
