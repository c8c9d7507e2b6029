// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
package import VakaModel

/// Parts of screen recordings. Those that belong to an event may come before it.
package protocol RecordingStore: Sendable {
    /// Keeps a part under its item's id; what is there already stays. Removes the spool's row.
    func complete(recording: NewRecording, sequence: Int64, project: Int64) throws(StoreError)
    /// The last moments of an event, in their order.
    func recordings(project: Int64, event: String) throws(StoreError) -> [StoredRecording]
    /// Those that came last first; of one session, where one is named.
    func recordings(
        project: Int64, session: String?, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<StoredRecording>
    /// Of a user, at most `limit`.
    func recordings(project: Int64, user: String, limit: Int) throws(StoreError) -> [StoredRecording]
    /// The document of one, as it was kept: compressed. Nil where there is none.
    func recording(project: Int64, id: Int64) throws(StoreError) -> Data?
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
