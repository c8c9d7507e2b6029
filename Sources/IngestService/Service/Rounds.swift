// SPDX-License-Identifier: Apache-2.0
import EventStore

/// Work that is done again and again on a thread of its own: every so many seconds, and when it is asked for. Thread-safe.
final class Rounds: Sendable {
    private struct State {
        var stopping = false
        var isAsked = false
    }

    private let seconds: Double
    private let state = Monitor(State())

    init(every seconds: Double) { self.seconds = seconds }

    /// Begins with a round at once.
    func start(_ round: @escaping @Sendable () -> Void) {
        startThread { [self] in
            repeat {
                state.withLock { $0.isAsked = false }
                round()
            } while state.wait(seconds: seconds) { $0.stopping ? false : $0.isAsked ? true : nil } ?? true
        }
    }

    /// The round under way ends at its next rest.
    func stop() {
        state.update { $0.stopping = true }
    }

    /// A round begins soon, also where one is under way.
    func wake() {
        state.update { $0.isAsked = true }
    }

    /// Waits within a round; false when that is to end.
    func rest(_ seconds: Double) -> Bool {
        state.wait(seconds: seconds) { $0.stopping ? true : nil } == nil
    }
}
