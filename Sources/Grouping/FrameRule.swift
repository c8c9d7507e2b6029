// SPDX-License-Identifier: Apache-2.0

/// One line of the ordered rules: the first that matches classifies a frame.
package struct FrameRule: Sendable {
    package var name: String
    package var frameClass: FrameClass
    /// Patterns with `*`, of which one must match; an empty list matches every frame.
    package var functions: [String] = []
    package var modules: [String] = []
    package var paths: [String] = []

    func matches(function: String?, module: String?, path: String?) -> Bool {
        Self.any(functions, match: function) && Self.any(modules, match: module) && Self.any(paths, match: path)
    }

    private static func any(_ patterns: [String], match text: String?) -> Bool {
        guard !patterns.isEmpty else { return true }
        guard let text else { return false }
        return patterns.contains { Glob.matches($0, text) }
    }
}
