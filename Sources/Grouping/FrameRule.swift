// SPDX-License-Identifier: Apache-2.0

/// One line of the ordered rules: the first that matches classifies a frame. Every condition that is given must hold.
package struct FrameRule: Sendable {
    /// What is known of a frame.
    struct Subject {
        /// The normal name, and the name before it was normalised.
        var names: [String]
        var language: SymbolLanguage
        var swiftModule: String?
        var module: String?
        var path: String?
    }

    package var name: String
    package var frameClass: FrameClass
    /// Patterns with `*`, of which one must match; an empty list sets no condition.
    package var functions: [String]
    var language: SymbolLanguage?
    package var swiftModules: [String]
    package var modules: [String]
    package var paths: [String]

    init(
        name: String, frameClass: FrameClass, functions: [String] = [], language: SymbolLanguage? = nil,
        swiftModules: [String] = [], modules: [String] = [], paths: [String] = []
    ) {
        self.name = name
        self.frameClass = frameClass
        self.functions = functions
        self.language = language
        self.swiftModules = swiftModules
        self.modules = modules
        self.paths = paths
    }

    func matches(_ subject: Subject) -> Bool {
        if let language, language != subject.language { return false }
        let named = functions.isEmpty || subject.names.contains { Self.any(functions, match: $0) }
        return named && Self.any(swiftModules, match: subject.swiftModule) && Self.any(modules, match: subject.module)
            && Self.any(paths, match: subject.path)
    }

    /// It looks at the image alone, which is known before any symbol is.
    var isOfImage: Bool { functions.isEmpty && language == nil && swiftModules.isEmpty }

    private static func any(_ patterns: [String], match text: String?) -> Bool {
        guard !patterns.isEmpty else { return true }
        guard let text else { return false }
        return patterns.contains { Glob.matches($0, text) }
    }
}
