// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What fails fails again and again while something is away: the same words are said once a minute, with how often they
/// were held back. Thread-safe.
final class LogRepetition: Sendable {
    private struct Said {
        var at: ContinuousClock.Instant
        var heldBack = 0
    }

    private static let pause = Duration.seconds(60)
    private static let most = 256
    private let known = Mutex<[String: Said]>([:])

    /// How often the words were held back since they were said; nil where they are to be held back now.
    func take(_ words: String, now: ContinuousClock.Instant = .now) -> Int? {
        known.withLock { known in
            if var said = known[words], now - said.at < Self.pause {
                said.heldBack += 1
                known[words] = said
                return nil
            }
            let heldBack = known[words]?.heldBack ?? 0
            if known.count >= Self.most { known = known.filter { now - $0.value.at < Self.pause } }
            if known.count < Self.most { known[words] = Said(at: now) }
            return heldBack
        }
    }
}
