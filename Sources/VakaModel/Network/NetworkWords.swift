// SPDX-License-Identifier: Apache-2.0

/// Which way what is recorded went. Most exchanges have none: they go both ways.
public struct NetworkDirection: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let send = NetworkDirection(rawValue: "SEND")
    public static let receive = NetworkDirection(rawValue: "RECEIVE")
}

/// What of an exchange's life a record tells: `started`, then any number of others, then one of the three that end it.
public struct NetworkPhase: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let started = NetworkPhase(rawValue: "started")
    /// The response's head, a part of a body, a frame, a change of a connection's state.
    public static let progress = NetworkPhase(rawValue: "progress")
    public static let completed = NetworkPhase(rawValue: "completed")
    public static let failed = NetworkPhase(rawValue: "failed")
    public static let cancelled = NetworkPhase(rawValue: "cancelled")

    /// Nothing of the exchange follows.
    public var isTerminal: Bool { self == .completed || self == .failed || self == .cancelled }
}

/// Names in a record's metadata that have a meaning.
public enum NetworkMetadata {
    /// A `NetworkPhase`.
    public static let phase = "phase"
    /// Milliseconds, where the record has no duration of its own.
    public static let duration = "duration_ms"
    /// Whether the exchange counts for the project's figures; one that does not say counts.
    public static let measured = "measured"
    /// The fault rule that matched, its action, what became of it, and the milliseconds that it delayed.
    public static let faultID = "fault_id"
    public static let faultAction = "fault_action"
    public static let faultOutcome = "fault_outcome"
    public static let faultDelay = "fault_delay_ms"
}
