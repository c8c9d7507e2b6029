// SPDX-License-Identifier: Apache-2.0

/// Where a folder of the debug information is on this machine: paths below `from` are read below `to`.
package struct SourceMap: Hashable, Sendable {
    package let from: String
    package let to: String

    package init(from: String, to: String) {
        self.from = SourcePath.normalized(from)
        self.to = SourcePath.normalized(to)
    }

    /// Reads `FROM=TO`; nil where either is missing.
    package init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.init(from: String(parts[0]), to: String(parts[1]))
    }

    /// Nil for a path that lies elsewhere.
    package func applied(to path: String) -> String? {
        guard SourcePath.isBelow(path, from) else { return nil }
        let rest = path.dropFirst(from.count).drop { $0 == "/" }
        return SourcePath.normalized(to + "/" + rest)
    }
}
