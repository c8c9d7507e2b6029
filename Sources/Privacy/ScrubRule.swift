// SPDX-License-Identifier: Apache-2.0

/// What is taken out of texts, as data.
package struct ScrubRule: Hashable, Sendable {
    /// A further condition on what a pattern found.
    package enum Check: Hashable, Sendable {
        /// The digits end with their check digit (ISO/IEC 7812-1, annex B).
        case luhn
    }

    /// Stands in the place of what is taken out.
    package var name: String
    /// In the language of ``ScrubPattern``; each by itself.
    package var patterns: [String]
    package var check: Check?
    /// What stands there instead; nil is the rule's name.
    package var replacement: String?

    package init(_ name: String, _ patterns: [String], check: Check? = nil, replacement: String? = nil) {
        self.name = name
        self.patterns = patterns
        self.check = check
        self.replacement = replacement
    }

    /// What stands in the place of a text that a rule of this name took out.
    package static func mark(_ name: String) -> String { "[scrubbed: \(name)]" }
}
