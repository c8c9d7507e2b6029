// SPDX-License-Identifier: Apache-2.0

/// How much a file can tell, measured on its contents and not believed from its headers: by it a store decides between
/// two files of one build id.
package struct ImageQuality: Sendable, Hashable, Codable {
    /// What names there are: 4 DWARF with lines, 3 DWARF without, 2 a symbol table, 1 exported symbols, 0 nothing.
    package var names: Int
    /// Bytes of code with a line, and in functions that the DWARF names.
    package var lines: UInt64
    package var functions: UInt64
    /// Bytes of code with a frame description.
    package var ehFrame: UInt64
    package var debugFrame: UInt64
    /// Part of its debug information is in files of their own (`.dwo`, or the one of `.gnu_debugaltlink`).
    package var needsOthers: Bool

    private enum CodingKeys: String, CodingKey {
        case names, lines, functions
        case ehFrame = "eh_frame"
        case debugFrame = "debug_frame"
        case needsOthers = "needs_others"
    }

    package init(_ check: ImageCheck) {
        let coverage = check.coverage
        lines = coverage?.lines ?? 0
        functions = coverage?.functions ?? 0
        ehFrame = coverage?.ehFrame ?? 0
        debugFrame = coverage?.debugFrame ?? 0
        needsOthers = check.identity?.altLink != nil || (check.dwarf?.splitUnits ?? 0) > 0
        names = Self.names(check, lines: lines, functions: functions)
    }

    private static func names(_ check: ImageCheck, lines: UInt64, functions: UInt64) -> Int {
        guard let identity = check.identity else { return 0 }
        if identity.hasDebugInfo {
            if lines > 0 { return 4 }
            // Without headers of its code nothing can be measured.
            if functions > 0 || check.coverage == nil, check.dwarf != nil { return 3 }
        }
        return min(identity.symbolRank, 2)
    }

    /// Whether it names code better than the other: by lines, then by names, then by what it needs besides.
    func names(betterThan other: ImageQuality) -> Bool {
        if names != other.names { return names > other.names }
        if lines != other.lines { return lines > other.lines }
        if functions != other.functions { return functions > other.functions }
        if needsOthers != other.needsOthers { return other.needsOthers }
        return debugFrame > other.debugFrame
    }

    /// Whether stacks are followed through it better than through the other; then, whether it names more.
    func unwinds(betterThan other: ImageQuality) -> Bool {
        if ehFrame != other.ehFrame { return ehFrame > other.ehFrame }
        return names(betterThan: other)
    }
}
