// SPDX-License-Identifier: Apache-2.0

/// How parts of a text stand out.
package enum TextStyle: Sendable {
    case plain
    /// By what terminals know (ECMA-48).
    case terminal

    package func bold(_ text: String) -> String { marked(text, "1") }
    package func dim(_ text: String) -> String { marked(text, "2") }
    package func red(_ text: String) -> String { marked(text, "1;31") }

    private func marked(_ text: String, _ code: String) -> String {
        self == .terminal ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}
