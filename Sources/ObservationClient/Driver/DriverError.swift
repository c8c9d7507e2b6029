// SPDX-License-Identifier: Apache-2.0

/// Something was not done, and nothing else was done in its place.
public struct DriverError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bridge's or the web view's reason (`stale_observation`, `bad_reply`, …), or one of the driver's: `no_target`,
    /// `no_fallback`, `display_changed`, `fallback_failed`.
    public let reason: String
    /// What there is to say beside it.
    public let message: String

    /// The reason and what is said.
    public var description: String { message.isEmpty ? reason : "\(reason): \(message)" }

    init(_ reason: String, _ message: String = "") {
        self.reason = reason
        self.message = message
    }
}
