// SPDX-License-Identifier: Apache-2.0

/// What became of an action.
public struct ObservationActionResult: Codable, Hashable, Sendable {
    public var success: Bool
    /// Why it was not done.
    public var reason: ObservationRejection?
    /// The capture that the bridge took after it; the action after it may name this one.
    public var nextObservationIdentity: CaptureIdentity?

    private init(success: Bool, reason: ObservationRejection?, next: CaptureIdentity?) {
        self.success = success
        self.reason = reason
        nextObservationIdentity = next
    }

    /// It was done.
    public static func accepted(next: CaptureIdentity) -> ObservationActionResult {
        ObservationActionResult(success: true, reason: nil, next: next)
    }

    /// It was not.
    public static func rejected(_ reason: ObservationRejection) -> ObservationActionResult {
        ObservationActionResult(success: false, reason: reason, next: nil)
    }
}
