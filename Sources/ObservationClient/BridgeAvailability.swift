// SPDX-License-Identifier: Apache-2.0
public import VakaModel

/// Whether a program can be observed and driven.
public enum BridgeAvailability: Hashable, Sendable {
    /// It can, with these kinds of actions, sorted by name.
    case available(schemaVersion: Int, supportedActions: [String])
    /// It cannot.
    case unavailable(ObservationUnavailability)
}
