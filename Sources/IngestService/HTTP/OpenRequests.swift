// SPDX-License-Identifier: Apache-2.0
import EventStore

/// How many requests are under way, and whether they are the last ones.
final class OpenRequests: Sendable {
    private struct State {
        var count = 0
        var isEnding = false
    }

    private let state = Monitor(State())

    /// From here on every answer ends its connection.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    func begin() {
        state.withLock { $0.count += 1 }
    }

    func end() {
        let isLast = state.withLock { state in
            state.count -= 1
            return state.isEnding && state.count == 0
        }
        if isLast { state.wakeAll() }
    }

    /// Waits until none is under way, at most for `seconds`; false where some still is.
    @discardableResult
    func drain(seconds: Double) -> Bool {
        state.withLock { $0.isEnding = true }
        return state.wait(seconds: seconds) { $0.count == 0 ? true : nil } ?? false
    }
}
