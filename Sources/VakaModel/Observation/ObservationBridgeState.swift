// SPDX-License-Identifier: Apache-2.0

/// Whether a program can be observed and driven, as its `/health` says it.
public struct ObservationBridgeState: Codable, Hashable, Sendable {
    public var schemaVersion: Int
    public var available: Bool
    /// Why not; nil where it is available.
    public var reason: ObservationUnavailability?
    /// Kinds of actions that the host takes, sorted by name; none where it is not available. Words of later versions are
    /// kept.
    public var supportedActions: [String]

    /// A bridge that takes these actions.
    public static func available(_ actions: some Sequence<ObservationActionKind>) -> ObservationBridgeState {
        ObservationBridgeState(
            schemaVersion: ObservationSnapshot.schemaVersion, available: true, reason: nil,
            supportedActions: Set(actions).sorted().map(\.rawValue))
    }

    /// None, and why.
    public static func unavailable(_ reason: ObservationUnavailability) -> ObservationBridgeState {
        ObservationBridgeState(
            schemaVersion: ObservationSnapshot.schemaVersion, available: false, reason: reason, supportedActions: [])
    }
}
