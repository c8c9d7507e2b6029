// SPDX-License-Identifier: Apache-2.0

/// How large the steps of work in the background are, so that whoever else wants to write never waits long.
struct Pace {
    /// A step that takes longer makes the next one smaller.
    private static let longest = Duration.milliseconds(6)
    private static let shortest = Duration.milliseconds(2)
    /// However fast the steps were: the next one may find nothing in memory and be ten times as slow.
    private static let most = 64

    /// Of the next step.
    private(set) var size = 8

    /// - Returns: seconds to leave to others: as long as the step took.
    mutating func took(_ time: Duration) -> Double {
        if time > Self.longest {
            size = max(1, size / 2)
        } else if time < Self.shortest {
            size = min(Self.most, size * 2)
        }
        return max(0.001, min(1, time / .seconds(1)))
    }
}
