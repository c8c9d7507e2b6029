// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
package import VakaModel

/// Parts of screen recordings. Those that belong to an event may come before it.
package protocol RecordingStore: Sendable {
    /// Keeps a part under its item's id; what is there already stays. Removes the spool's row.
    func complete(recording: NewRecording, sequence: Int64, project: Int64) throws(StoreError)
    /// The last moments of an event, in their order.
    func recordings(project: Int64, event: String) throws(StoreError) -> [StoredRecording]
    /// Those that came last first.
    func recordings(
        project: Int64, _ query: RecordingQuery, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<StoredRecording>
    /// Whole recordings, those of which a part came last first. Each tells of its parts that the query means.
    func recordingSummaries(
        project: Int64, _ query: RecordingQuery, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<RecordingSummary>
    /// Of a recording: the part of that number and the ones after it, or the ones before it, backwards. A part that came with an
    /// event and by itself is there twice.
    func parts(
        project: Int64, recording: String, from part: Int, isBackwards: Bool, limit: Int
    ) throws(StoreError) -> [StoredRecording]
    /// Of a user, at most `limit`.
    func recordings(project: Int64, user: String, limit: Int) throws(StoreError) -> [StoredRecording]
    /// The parts of these sessions that tell of no user, at most `limit`.
    func unnamedRecordings(ofSessions sessions: [String], project: Int64, limit: Int) throws(StoreError)
        -> [StoredRecording]
    /// Removes the parts of these sessions that tell of no user.
    func removeUnnamedRecordings(ofSessions sessions: [String], project: Int64) throws(StoreError)
    /// The document of one, as it was kept: compressed. Nil where there is none.
    func recording(project: Int64, id: Int64) throws(StoreError) -> Data?
}

/// Which recordings are meant; nil: all.
package struct RecordingQuery: Hashable, Sendable {
    package var recording: String?
    package var session: String?
    /// What tells users apart, as events have it.
    package var user: String?
    package var release: String?

    package init(
        recording: String? = nil, session: String? = nil, user: String? = nil, release: String? = nil
    ) {
        self.recording = recording
        self.session = session
        self.user = user
        self.release = release
    }
}

/// A recording in a list.
package struct RecordingSummary: Hashable, Sendable {
    package var recordingID: String
    /// Of those that are stored.
    package var parts: Int
    package var frames: Int
    package var started: Timestamp
    /// When its last part ended.
    package var ended: Timestamp
    /// Whose last moments it holds.
    package var eventID: String?
    package var sessionID: String?
    package var user: String?
    package var release: String?
}

/// A part as it is to be kept.
package struct NewRecording: Sendable {
    package var recording: Recording
    package var itemID: String
    package var installID: String?
    /// What tells users apart, as events have it.
    package var user: String?
    package var receivedAt: Timestamp
    /// Compressed.
    package var document: Data

    package init(
        _ recording: Recording, itemID: String, installID: String?, user: String?, receivedAt: Timestamp, document: Data
    ) {
        self.recording = recording
        self.itemID = itemID
        self.installID = installID
        self.user = user
        self.receivedAt = receivedAt
        self.document = document
    }
}

/// A part in a list.
package struct StoredRecording: Hashable, Sendable {
    package var id: Int64
    package var recordingID: String
    package var part: Int
    package var eventID: String?
    package var sessionID: String?
    package var release: String?
    package var started: Timestamp
    /// Milliseconds.
    package var duration: Int
    package var frames: Int
    package var receivedAt: Timestamp
}
