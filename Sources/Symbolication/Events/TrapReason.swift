// SPDX-License-Identifier: Apache-2.0

/// Why a check of the compiler's failed. A trap that prints nothing lies in an artificial function, inlined where the
/// check is, whose name is the reason: Swift's runtime failures, and clang's verbose traps (the sanitizers' and the
/// standard library's checks, `__builtin_verbose_trap`).
enum TrapReason {
    private static let swiftPrefix = "Swift runtime failure: "
    /// `__clang_trap_msg$<category>$<message>`
    private static let clangPrefix = "__clang_trap_msg$"

    /// What the notes begin with that the code around the artificial function gets.
    static let swiftNote = "swift_runtime_failure: "
    static let clangNote = "trap: "

    /// The note for the level around an artificial function; nil for any other.
    static func note(_ level: LookupFrame) -> String? {
        guard level.inlined, let name = level.symbol ?? level.function else { return nil }
        if name.hasPrefix(swiftPrefix) { return swiftNote + name.dropFirst(swiftPrefix.count) }
        guard name.hasPrefix(clangPrefix) else { return nil }
        let parts = name.dropFirst(clangPrefix.count).split(
            separator: "$", maxSplits: 1, omittingEmptySubsequences: false)
        let words = parts.filter { !$0.isEmpty }.joined(separator: ": ")
        return words.isEmpty ? nil : clangNote + words
    }

    /// The reason that a frame's notes tell.
    static func text(_ notes: [String]) -> String? {
        for note in notes {
            for prefix in [swiftNote, clangNote] where note.hasPrefix(prefix) {
                return String(note.dropFirst(prefix.count))
            }
        }
        return nil
    }
}
