// SPDX-License-Identifier: Apache-2.0

/// How a hang that was reported before ended: the payload of an item of the kind `hang_end`.
public struct HangEnd: Codable, Hashable, Sendable {
    /// Of the hang's event.
    public var eventID: String
    public var outcome: HangOutcome
    /// How long it lasted in all, in seconds; nil where nobody knows.
    @ExplicitNull public var duration: Double?
    public var timestamp: Timestamp

    public init(eventID: String, outcome: HangOutcome, duration: Double?, timestamp: Timestamp) {
        self.eventID = eventID
        self.outcome = outcome
        self.duration = duration
        self.timestamp = timestamp
    }

    enum CodingKeys: String, CodingKey {
        case eventID = "event_id"
        case outcome
        case duration = "duration_s"
        case timestamp
    }
}
