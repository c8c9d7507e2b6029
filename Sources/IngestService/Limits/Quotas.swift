// SPDX-License-Identifier: Apache-2.0
import EventStore
import Synchronization
import VakaModel

/// Who sends how much, and what was turned away for it. Counts since the start.
final class Quotas: Sendable {
    /// What was turned away of one project.
    struct TurnedAway: Hashable {
        var batches = 0
        /// The same item counts each time it is sent.
        var items = 0
    }

    private struct State {
        var projects: [Int64: RateBucket] = [:]
        var keys: [String: RateBucket] = [:]
        var builds: [Int64: RateBucket] = [:]
        var turnedAway: [Int64: TurnedAway] = [:]
    }

    /// First crashes of builds that pass over the quota: who makes builds up does not get further than this.
    private static let newBuildsPerMinute = 60

    let since = Timestamp.now
    private let state = Mutex(State())

    /// Nil when the items may pass; else the seconds to wait.
    func admit(items: Int, project: Int64, key: String, limits: RateLimits) -> Int? {
        let now = ContinuousClock.now
        return state.withLock { state in
            let waits = [
                limits.projectItems.flatMap { rate in
                    state.projects[project, default: RateBucket(perMinute: rate, now: now)].wait(
                        perMinute: rate, now: now)
                },
                limits.keyItems.flatMap { rate in
                    state.keys[key, default: RateBucket(perMinute: rate, now: now)].wait(perMinute: rate, now: now)
                },
            ]
            if let wait = waits.compactMap({ $0 }).max() { return wait }
            // Counted only when both let it pass.
            if let rate = limits.projectItems { _ = state.projects[project]?.take(items, perMinute: rate, now: now) }
            if let rate = limits.keyItems { _ = state.keys[key]?.take(items, perMinute: rate, now: now) }
            return nil
        }
    }

    /// Whether a build's first crash may pass over the quota.
    func admitNewBuild(project: Int64) -> Bool {
        let now = ContinuousClock.now
        let rate = Self.newBuildsPerMinute
        return state.withLock { state in
            state.builds[project, default: RateBucket(perMinute: rate, now: now)].take(1, perMinute: rate, now: now)
                == nil
        }
    }

    func turnAway(items: Int, project: Int64) {
        state.withLock { state in
            state.turnedAway[project, default: TurnedAway()].batches += 1
            state.turnedAway[project, default: TurnedAway()].items += items
        }
    }

    func turnedAway(project: Int64) -> TurnedAway {
        state.withLock { $0.turnedAway[project] ?? TurnedAway() }
    }
}
