// SPDX-License-Identifier: Apache-2.0
import CElfutils

/// Names with the namespaces and types around them, for functions whose linkage name the demangler does not understand
/// (newer compilers mangle what older demanglers do not know).
struct QualifiedNames {
    private let unit: DIE
    private var known: [UnsafeMutableRawPointer: String] = [:]

    private static let maximumDepth = 64
    private static let maximumLinks = 8

    init(unit: DIE) {
        self.unit = unit
    }

    /// `std::pair<char, char>::pair<char, char, true>`; nil where the function has no name.
    mutating func name(of function: DIE) -> String? {
        guard let declaration = Self.declaration(of: function), let key = declaration.identity,
            let name = declaration.name
        else { return nil }
        if let known = known[key] { return known }
        var path: [String] = []
        let qualified = Self.find(key, in: unit, depth: 0, &path) ? (path + [name]).joined(separator: "::") : name
        known[key] = qualified
        return qualified
    }

    /// The entry that stands where the function is declared.
    private static func declaration(of function: DIE) -> DIE? {
        var die = function
        for _ in 0..<maximumLinks {
            guard let next = die.reference(DW_AT_abstract_origin) ?? die.reference(DW_AT_specification) else {
                return die
            }
            die = next
        }
        return nil
    }

    /// Fills `path` with the names of the scopes down to an entry; libdw keeps no way up.
    private static func find(
        _ target: UnsafeMutableRawPointer, in parent: DIE, depth: Int, _ path: inout [String]
    ) -> Bool {
        guard depth < maximumDepth, var child = parent.firstChild else { return false }
        repeat {
            if child.identity == target { return true }
            guard let scope = scopeName(child) else { continue }
            path.append(scope)
            if find(target, in: child, depth: depth + 1, &path) { return true }
            path.removeLast()
        } while child.advance()
        return false
    }

    private static func scopeName(_ die: DIE) -> String? {
        switch die.tag {
        case DW_TAG_namespace: die.name ?? "(anonymous namespace)"
        case DW_TAG_class_type, DW_TAG_structure_type, DW_TAG_union_type, DW_TAG_module: die.name ?? "(unnamed)"
        default: nil
        }
    }
}
