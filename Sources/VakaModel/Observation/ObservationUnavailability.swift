// SPDX-License-Identifier: Apache-2.0

/// Why there is no bridge to a program.
public struct ObservationUnavailability: OpenEnum {
    /// The word, as it is written.
    public let rawValue: String
    /// A word of one's own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The program serves observations, but has registered no bridge.
    public static let notRegistered = ObservationUnavailability(rawValue: "NOT_REGISTERED")
    /// What answers is older than the bridge.
    public static let sdkTooOld = ObservationUnavailability(rawValue: "SDK_TOO_OLD")
    /// Nothing answers there, or another program.
    public static let sdkUnavailable = ObservationUnavailability(rawValue: "SDK_UNAVAILABLE")
    /// The answer is not what it should be.
    public static let malformedResponse = ObservationUnavailability(rawValue: "MALFORMED_RESPONSE")
    /// A reason that a later version gave.
    public static let unknown = ObservationUnavailability(rawValue: "UNKNOWN")

    /// Those that are known.
    public static let known: Set<ObservationUnavailability> = [
        notRegistered, sdkTooOld, sdkUnavailable, malformedResponse, unknown,
    ]
}
