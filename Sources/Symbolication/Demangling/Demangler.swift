// SPDX-License-Identifier: Apache-2.0
import CDemangle

/// Turns linkage names into names that a person reads.
///
/// - Swift: the short form of the runtime's own backtraces, with labels and without types and modules:
///   `deep(_:)`, `closure #1 in run(with:)`, `specialized Array.append(_:)`. The parts of an async function carry its name.
/// - C++: as LLVM's tools write it; clones as `f() (.cold)`.
/// - Rust: as `rustc-demangle` writes it without hashes.
/// - Anything else, and whatever is too long or does not parse, stays as it is.
///
/// Any thread.
package enum Demangler {
    /// Longer names are left alone: demanglers need stack and time in proportion.
    static let maximumInput = 8192
    static let maximumOutput = 32768

    package static func readable(_ symbol: String) -> String {
        guard symbol.utf8.count <= maximumInput else { return symbol }
        if isSwift(symbol) { return swift(symbol) ?? symbol }
        if isRust(symbol) { return rust(symbol) ?? symbol }
        if symbol.hasPrefix("_Z") { return rustLegacy(symbol) ?? cxx(symbol) ?? symbol }
        return symbol
    }

    package static func isMangled(_ symbol: String) -> Bool {
        symbol.hasPrefix("_Z") || isRust(symbol) || isSwift(symbol)
    }

    static func isSwift(_ symbol: String) -> Bool {
        ["$s", "$S", "_$s", "_$S", "_T0", "$e"].contains { symbol.hasPrefix($0) }
    }

    static func isRust(_ symbol: String) -> Bool {
        symbol.hasPrefix("_R") && symbol.utf8.dropFirst(2).first.map { $0 >= 0x41 && $0 <= 0x5A } ?? false
    }

    private static func cxx(_ symbol: String) -> String? {
        withSuffix(symbol) { base in bounded { vaka_demangle_cxx(String(base), $0, $1) }.map(CXXStyle.modern) }
    }

    private static func swift(_ symbol: String) -> String? {
        withSuffix(symbol) { base in
            guard let name = bounded({ vaka_demangle_swift(String(base), base.utf8.count, $0, $1) }), name != base
            else {
                return nil
            }
            // The short form has no word for a script's own code.
            return name.hasSuffix(" in ") ? name + "top-level code" : name
        }
    }

    /// A Swift name with its types and modules; nil where it is none.
    static func swiftInFull(_ symbol: String) -> String? {
        guard symbol.utf8.count <= maximumInput, isSwift(symbol) else { return nil }
        let base = symbol.prefix { $0 != "." }
        return bounded { vaka_demangle_swift_full(String(base), base.utf8.count, $0, $1) }
    }

    private static func rust(_ symbol: String) -> String? {
        withSuffix(symbol, RustV0Demangler.demangle)
    }

    /// What LLVM or gcc appended to a name (`.cold`, `.isra.0`, `.resume.0`) is no part of its mangling.
    private static func withSuffix(_ symbol: String, _ demangle: (Substring) -> String?) -> String? {
        let base = symbol.prefix { $0 != "." }
        return demangle(base).map { $0 + cloneSuffix(symbol.dropFirst(base.count)) }
    }

    private static func rustLegacy(_ symbol: String) -> String? {
        RustLegacyDemangler.demangle(symbol)
    }

    /// ` (.cold)`, or nothing: `.llvm.123` only makes a name unique.
    static func cloneSuffix(_ suffix: Substring) -> String {
        let rest = suffix.firstRange(of: ".llvm.").map { suffix[..<$0.lowerBound] } ?? suffix
        return rest.isEmpty ? "" : " (\(rest))"
    }

    private static func bounded(_ demangle: (UnsafeMutablePointer<CChar>, Int) -> Int) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: maximumOutput) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let length = demangle(start, buffer.count)
            guard length > 0, length < buffer.count else { return nil }
            return String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
        }
    }
}
