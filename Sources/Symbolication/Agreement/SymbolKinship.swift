// SPDX-License-Identifier: Apache-2.0

/// Whether two symbols are names of one function by their form alone.
enum SymbolKinship {
    /// Constructors and destructors of all kinds alike; what a compiler or a library puts before or behind a name left out.
    static func areKin(_ one: String, _ other: String) -> Bool {
        let (a, b) = (base(one), base(other))
        return a == b || Demangler.readable(a) == Demangler.readable(b) && a != one && b != other
            || plain(a) == plain(b)
    }

    private static func base(_ name: String) -> String {
        String(name.prefix { $0 != "." }).replacing(/([CD])[0-5](?=[EI])/) { String($0.1) }
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
