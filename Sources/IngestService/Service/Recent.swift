// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What was looked up a moment ago, so that it is not looked up for each request. A bounded number; thread-safe.
final class Recent<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var values: [Key: (value: Value, until: ContinuousClock.Instant)] = [:]
        /// Counts what was forgotten: what was looked up before is not kept after it.
        var turn = 0
    }

    private let lasting: Duration
    private let most: Int
    private let state = Mutex(State())

    /// What others change, without ``forget()``, is seen after so long.
    init(lasting: Duration, most: Int = 1000) {
        self.lasting = lasting
        self.most = most
    }

    /// Nil, which `find` answers for what there is not, is not kept.
    func value<Failure: Error>(_ key: Key, find: () throws(Failure) -> Value?) throws(Failure) -> Value? {
        let now = ContinuousClock.now
        let (known, turn) = state.withLock { ($0.values[key], $0.turn) }
        if let known, known.until > now { return known.value }
        let found = try find()
        guard let found else { return nil }
        state.withLock { state in
            guard state.turn == turn else { return }
            if state.values.count >= most { state.values = [:] }
            state.values[key] = (found, now + lasting)
        }
        return found
    }

    func forget() {
        state.withLock { state in
            state.values = [:]
            state.turn += 1
        }
    }
}
