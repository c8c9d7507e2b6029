// SPDX-License-Identifier: Apache-2.0

/// A bar on standard error, drawn only on a terminal and only when the work is long.
final class ProgressBar {
    private let label: String
    private let start = ContinuousClock.now
    private var drawn = false
    private var shownPercent = -1

    init(_ label: String) { self.label = label }

    func update(done: Int64, total: Int64) {
        guard Terminal.errorIsTerminal, total > 0, ContinuousClock.now - start > .milliseconds(300) else { return }
        let percent = Int(min(100, done * 100 / total))
        guard percent != shownPercent else { return }
        shownPercent = percent
        drawn = true
        let filled = percent * 30 / 100
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
        Terminal.complain("\r\(label.suffix(40)) \(bar) \(percent) %\u{1b}[K")
    }

    func finish() {
        if drawn { Terminal.complain("\r\u{1b}[K") }
        drawn = false
    }
}
