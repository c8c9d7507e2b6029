// SPDX-License-Identifier: Apache-2.0

/// Rounds of housekeeping that were asked for, by their numbers, and what the last of them removed.
package struct HousekeepingState: Hashable, Sendable {
    /// Of the last that was asked for; 0 is none.
    package var asked: Int64 = 0
    /// Of the last that a server has begun with.
    package var begun: Int64 = 0
    /// Of the last that came to its end.
    package var done: Int64 = 0
    package var events = 0
    /// What is kept for a time, beside events.
    package var records = 0

    package init() {}
}
