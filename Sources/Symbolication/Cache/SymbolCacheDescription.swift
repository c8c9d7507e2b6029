// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What a symbol cache holds, for people and scripts.
package struct SymbolCacheDescription: Sendable, Hashable, Codable {
    package struct Companion: Sendable, Hashable, Codable {
        package var path: String
        /// Nil where it was missing.
        package var size: UInt64?
    }

    package var path: String
    package var facts: SymbolCacheFacts
    package var functions: Int
    package var companions: [Companion]

    package init(_ cache: SymbolCache) {
        path = cache.path
        facts = cache.facts
        functions = cache.functionCount
        companions = cache.companions.map { Companion(path: $0.path, size: $0.size) }
    }

    /// A few lines without a line end after the last.
    package var text: String {
        let sources = [facts.hasDebugInfo ? "debug information" : nil, facts.hasSymbols ? "symbols" : nil]
        let made = sources.compactMap { $0 }.joined(separator: " and ")
        var lines = [
            "\(path): symbol cache, version \(facts.formatVersion), as it was written",
            "  build id   \(facts.buildID.map(\.description) ?? "none")",
            "  made from  \(made.isEmpty ? "nothing that names code" : made) of a file of \(facts.sourceSize) bytes",
            "  covers     \(facts.codeSize) bytes of code, \(functions) functions",
            "  size       \(facts.size) bytes",
        ]
        for companion in companions {
            lines.append("  with       \(companion.path)\(companion.size == nil ? " (missing)" : "")")
        }
        return lines.joined(separator: "\n")
    }
}
