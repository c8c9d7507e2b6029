// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// The last lines of a program's standard error, at most 200 and 64 KiB, and the last panic's text, however much was
/// written after it. Bytes that are no UTF-8 are replaced,
/// and what only steers a terminal is left out.
package struct ErrorTail: Sendable {
    package struct Line: Hashable, Sendable {
        package var text: String
        /// When it began to arrive.
        package var time: Timestamp
    }

    private static let mostLines = 200
    private static let mostBytes = 64 << 10
    private static let longestLine = 4096

    private var kept: [Line] = []
    private var keptBytes = 0
    private var open: [UInt8] = []
    private var openSince: Timestamp?
    package private(set) var panic: PanicText?

    package init() {}

    package var lines: [Line] { kept }

    package mutating func add(_ bytes: some Collection<UInt8>, time: Timestamp) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            extend(rest[..<end], time)
            close(time)
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { extend(rest, time) }
    }

    /// Takes a last line that has no newline.
    package mutating func finish(time: Timestamp) {
        if !open.isEmpty { close(time) }
    }

    /// What is beyond the bound of a line is cut off.
    private mutating func extend(_ part: some Collection<UInt8>, _ time: Timestamp) {
        if openSince == nil { openSince = time }
        open += part.prefix(max(0, Self.longestLine - open.count))
    }

    private mutating func close(_ time: Timestamp) {
        let line = Line(text: TerminalText.plain(open), time: openSince ?? time)
        open = []
        openSince = nil
        if let found = PanicText(line: line.text) { panic = found } else { panic?.follow(line.text) }
        kept.append(line)
        keptBytes += line.text.utf8.count
        // Half as much again is let in, so that not every line moves all the others.
        guard kept.count > Self.mostLines * 3 / 2 || keptBytes > Self.mostBytes * 3 / 2 else { return }
        trim()
    }

    private mutating func trim() {
        var from = 0
        while kept.count - from > Self.mostLines || keptBytes > Self.mostBytes {
            keptBytes -= kept[from].text.utf8.count
            from += 1
        }
        kept.removeFirst(from)
    }

    /// The lines within the bounds, oldest first, as breadcrumbs of the category `stderr`.
    package var breadcrumbs: [Breadcrumb] {
        var tail = self
        tail.trim()
        return tail.kept.filter { !$0.text.isEmpty }.map {
            Breadcrumb(timestamp: $0.time, category: "stderr", message: $0.text)
        }
    }
}
