// SPDX-License-Identifier: Apache-2.0

/// Over which images workers died lately. Once may be chance: somebody else's signal, a machine without memory.
struct ImageDeaths {
    private var seen: [String: (count: Int, last: ContinuousClock.Instant)] = [:]

    /// Deaths further apart have nothing to do with each other.
    private static let lately = Duration.seconds(3600)
    private static let mostImages = 1000

    /// Counts one more; true when it is no chance any more.
    mutating func isNoChance(_ image: String) -> Bool {
        let now = ContinuousClock.now
        if seen.count >= Self.mostImages { seen = [:] }
        let before = seen[image].flatMap { now - $0.last < Self.lately ? $0.count : nil } ?? 0
        seen[image] = before == 0 ? (1, now) : nil
        return before > 0
    }
}
