// SPDX-License-Identifier: Apache-2.0

/// When an alert that did not arrive is tried again.
enum AlertSchedule {
    /// After that many it is given up: about a day after the first.
    static let mostAttempts = 16
    private static let first = 5.0
    private static let longest = 6.0 * 3600

    /// Seconds after the attempt of this number (1 is the first); nil: never again.
    static func pause(after attempts: Int, _ failure: AlertFailure) -> Double? {
        guard !failure.isFinal, attempts < mostAttempts else { return nil }
        let own = first * Double(1 << min(attempts - 1, 20))
        return min(longest, max(own, failure.retryAfter ?? 0))
    }
}
