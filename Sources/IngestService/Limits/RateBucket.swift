// SPDX-License-Identifier: Apache-2.0

/// How much may still pass, where so much a minute may: a minute's worth at once, then as it flows in again.
///
/// What begins while anything is left passes whole, so that nothing larger than a minute's worth is held up for good; the
/// debt is waited for afterwards.
struct RateBucket {
    private var left: Double
    private var at: ContinuousClock.Instant
    /// The rate that `left` was counted under.
    private var perMinute: Int

    init(perMinute: Int, now: ContinuousClock.Instant) {
        left = Double(perMinute)
        at = now
        self.perMinute = perMinute
    }

    /// Nil when the amount may pass, which is then counted; else the seconds to wait.
    mutating func take(_ amount: Int, perMinute: Int, now: ContinuousClock.Instant) -> Int? {
        if let wait = wait(perMinute: perMinute, now: now) { return wait }
        left -= Double(amount)
        return nil
    }

    /// The seconds until something may pass; nil when it may now.
    mutating func wait(perMinute: Int, now: ContinuousClock.Instant) -> Int? {
        if perMinute != self.perMinute { self = RateBucket(perMinute: perMinute, now: now) }
        let passed = (now - at).components
        let seconds = Double(passed.seconds) + Double(passed.attoseconds) / 1e18
        left = min(Double(perMinute), left + seconds * Double(perMinute) / 60)
        at = now
        guard left < 1 else { return nil }
        return max(1, Int(((1 - left) * 60 / Double(perMinute)).rounded(.up)))
    }
}
