// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What the SDK does, line by line on standard error, where the host asked for it.
struct DebugLog: Sendable {
    let isOn: Bool

    /// One line, in one write, so that lines of several threads do not mix.
    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }

    func callAsFunction(_ text: @autoclosure () -> String) {
        if isOn { Self.say("Vaka: \(text())") }
    }
}
