// SPDX-License-Identifier: Apache-2.0

/// Why a request of an observation or an action came to nothing. That an action was rejected is no failure but a result.
public struct ObservationFailure: OpenEnum, Error {
    /// The word, as it is written.
    public let rawValue: String
    /// A word of one's own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No program, or none with a registered bridge: nothing was sent.
    public static let bridgeUnavailable = ObservationFailure(rawValue: "bridge_unavailable")
    /// The program went to the background before it served the request.
    public static let appNotActive = ObservationFailure(rawValue: "app_not_active")
    /// The action is missing, or is none.
    public static let invalidAction = ObservationFailure(rawValue: "invalid_action")
    /// What was sent got no answer, or one that is not as agreed. An action may have been done.
    public static let badReply = ObservationFailure(rawValue: "bad_reply")
    /// The page's origin is none of those that the web view allows.
    public static let disallowedOrigin = ObservationFailure(rawValue: "disallowed_origin")
    /// The page's process ended, and the page has not been loaded again.
    public static let webProcessUnavailable = ObservationFailure(rawValue: "web_process_unavailable")
    /// The request or the snapshot is longer than the web view takes.
    public static let messageTooLarge = ObservationFailure(rawValue: "message_too_large")
    /// The page has not posted a snapshot yet.
    public static let noSnapshot = ObservationFailure(rawValue: "no_snapshot")
}
