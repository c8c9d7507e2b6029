// SPDX-License-Identifier: Apache-2.0
public import VakaModel

/// A request that came to nothing. A rejected action is no such thing but a result.
public struct ObservationRequestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which failure it is.
    public let failure: ObservationFailure
    /// What the program, or the connection, says of it.
    public let message: String

    /// False only where there is no bridge, and so nothing was sent; otherwise an action may have been done.
    public var available: Bool { failure != .bridgeUnavailable }
    /// The failure and what is said of it.
    public var description: String { "\(failure): \(message)" }

    init(_ failure: ObservationFailure, _ message: String) {
        self.failure = failure
        self.message = message
    }
}
