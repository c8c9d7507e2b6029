// SPDX-License-Identifier: Apache-2.0

/// What a language's runtime writes to standard error before it ends the program: the line that says why, and the
/// lines that belong to it.
package struct PanicText: Hashable, Sendable {
    private static let longest = 4096
    private static let mostLines = 16
    private static let starts = ["panic: ", "fatal error: ", "fatal runtime error: ", "terminate called "]

    package private(set) var text: String
    /// Go's runtime tells of its goroutines below.
    package private(set) var hasGoroutines = false
    private let isRust: Bool
    private var lines = 1
    private var isOpen = true

    /// Nil for a line that begins no such text.
    init?(line: String) {
        isRust = line.hasPrefix("thread '") && line.contains(" panicked at ")
        let isSwift = line.contains(".swift:") && line.contains(": Fatal error: ")
        guard isRust || isSwift || Self.starts.contains(where: line.hasPrefix) else { return nil }
        text = String(line.prefix(Self.longest))
    }

    /// The next line: Rust's message stands below the place, and what is indented belongs to the line above it.
    mutating func follow(_ line: String) {
        if line.hasPrefix("goroutine ") { hasGoroutines = true }
        guard isOpen else { return }
        let isMessage = isRust && lines == 1 && text.hasSuffix(":")
        let belongs = isMessage || line.hasPrefix(" ") || line.hasPrefix("\t")
        guard belongs, lines < Self.mostLines, text.count + line.count < Self.longest else {
            isOpen = false
            return
        }
        text += "\n" + line
        lines += 1
    }

    /// Whether a program with this text and exit status ended by what the text tells: Rust's main thread that panics
    /// exits with 101, a Go program with 2. Another status is the program's own doing, whatever it wrote.
    func explains(exitStatus: Int32) -> Bool {
        isRust && exitStatus == 101 || hasGoroutines && exitStatus == 2
    }
}
