// SPDX-License-Identifier: Apache-2.0

/// A part of a screen recording: what a program showed for a while, as drawings without what is masked. Payload of an item of
/// the kind `recording`.
public struct Recording: Codable, Hashable, Sendable {
    /// Of the recordings that this version writes and reads.
    public static let schemaVersion = 1

    public var schemaVersion: Int
    /// The same in all parts of one recording: 32 hexadecimal digits.
    public var recordingID: String
    /// Counts the parts of a recording from 0.
    public var part: Int
    /// The crash or abnormal end that these are the last moments of.
    @ExplicitNull public var eventID: String?
    @ExplicitNull public var sessionID: String?
    @ExplicitNull public var userID: String?
    @ExplicitNull public var release: String?
    @ExplicitNull public var environment: String?
    public var started: Timestamp
    /// Milliseconds until this part ended.
    public var duration: Int
    public var privacy: RecordingPrivacy
    public var quality: RecordingQuality
    public var frames: [RecordingFrame]
    public var taps: [RecordingTap]
    /// Taps that are not told, since they were on something masked or on something unknown.
    public var withheldTaps: Int

    /// A part without frames yet.
    public init(
        recordingID: String, part: Int, started: Timestamp, privacy: RecordingPrivacy, quality: RecordingQuality
    ) {
        schemaVersion = Self.schemaVersion
        self.recordingID = recordingID
        self.part = part
        self.started = started
        self.privacy = privacy
        self.quality = quality
        duration = 0
        frames = []
        taps = []
        withheldTaps = 0
    }

    private enum CodingKeys: String, CodingKey {
        case schemaVersion = "schema_version"
        case recordingID = "recording_id"
        case part
        case eventID = "event_id"
        case sessionID = "session_id"
        case userID = "user_id"
        case release, environment, started
        case duration = "duration_ms"
        case privacy, quality, frames, taps
        case withheldTaps = "withheld_taps"
    }
}
