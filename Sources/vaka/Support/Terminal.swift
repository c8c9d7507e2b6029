// SPDX-License-Identifier: Apache-2.0
@preconcurrency import Glibc

/// Standard error, for talk, and what the terminal can show.
enum Terminal {
    static func complain(_ text: String) {
        fputs(text, stderr)
    }

    static var errorIsTerminal: Bool { isatty(2) == 1 }

    /// Colour on a terminal only, and never with NO_COLOR.
    static let usesColour = isatty(1) == 1 && getenv("NO_COLOR") == nil

    static func bold(_ text: String) -> String { usesColour ? "\u{1b}[1m\(text)\u{1b}[0m" : text }
    static func dim(_ text: String) -> String { usesColour ? "\u{1b}[2m\(text)\u{1b}[0m" : text }
    static func red(_ text: String) -> String { usesColour ? "\u{1b}[1;31m\(text)\u{1b}[0m" : text }
}
