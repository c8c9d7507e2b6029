// SPDX-License-Identifier: Apache-2.0

extension Migrations {
    /// Parts of screen recordings. What is large stands last.
    static let recordings = recordings(key: "INTEGER PRIMARY KEY AUTOINCREMENT", integer: "INTEGER", bytes: "BLOB")

    /// The parts of one recording, and the one of them that came last, for both databases.
    static let recordingNames =
        """
        CREATE INDEX recordings_by_name ON recordings (project_id, recording_id, part, id);
        CREATE INDEX recordings_by_last ON recordings (project_id, recording_id, id);
        """

    /// The same for both databases, but for the names of types.
    static func recordings(key: String, integer: String, bytes: String) -> String {
        """
        CREATE TABLE recordings (
            id \(key), project_id \(integer) NOT NULL, item_id TEXT NOT NULL, recording_id TEXT NOT NULL,
            part \(integer) NOT NULL, event_id TEXT NOT NULL, session_id TEXT NOT NULL, install_id TEXT NOT NULL,
            user_id TEXT NOT NULL, release TEXT, started \(integer) NOT NULL, duration_ms \(integer) NOT NULL,
            frames \(integer) NOT NULL, received_at \(integer) NOT NULL, document \(bytes) NOT NULL,
            UNIQUE (project_id, item_id));
        CREATE INDEX recordings_by_event ON recordings (project_id, event_id);
        CREATE INDEX recordings_by_session ON recordings (project_id, session_id, id);
        CREATE INDEX recordings_by_user ON recordings (project_id, user_id);
        CREATE INDEX recordings_by_install ON recordings (project_id, install_id);
        CREATE INDEX recordings_by_time ON recordings (received_at, project_id);
        """
    }
}
