// SPDX-License-Identifier: Apache-2.0

/// Why a bridge did not do an action that it was asked for.
public struct ObservationRejection: OpenEnum, Error {
    /// The word, as it is written.
    public let rawValue: String
    /// A word of one's own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The host takes no actions of this kind.
    public static let unsupportedAction = ObservationRejection(rawValue: "unsupported_action")
    /// There was a capture after the one that the action names.
    public static let staleObservation = ObservationRejection(rawValue: "stale_observation")
    /// The capture has no element of this name, or more than one.
    public static let unknownElement = ObservationRejection(rawValue: "unknown_element")
    /// The element is disabled, hidden, or does not take this action.
    public static let elementNotActionable = ObservationRejection(rawValue: "element_not_actionable")
    /// Another action is being done.
    public static let actionInFlight = ObservationRejection(rawValue: "action_in_flight")
    /// The host has too much to do already.
    public static let actionQueueOverloaded = ObservationRejection(rawValue: "action_queue_overloaded")
    /// The bridge was stopped before it was done.
    public static let actionCancelled = ObservationRejection(rawValue: "action_cancelled")
}
