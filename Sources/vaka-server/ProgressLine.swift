// SPDX-License-Identifier: Apache-2.0
import Glibc

/// How far long work is, in one line of a terminal's standard error. One thread at a time.
final class ProgressLine {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let start = ContinuousClock.now
    private var shown = ""

    func show(_ label: String, _ done: Int64, _ total: Int64) {
        guard isTerminal, total > 0, ContinuousClock.now - start > .milliseconds(300) else { return }
        let text = "\(label): \(done * 100 / total) %"
        guard text != shown else { return }
        shown = text
        write("\r\(text)\u{1b}[K")
    }

    func clear() {
        if !shown.isEmpty { write("\r\u{1b}[K") }
        shown = ""
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
