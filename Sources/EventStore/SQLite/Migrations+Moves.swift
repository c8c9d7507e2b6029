// SPDX-License-Identifier: Apache-2.0

extension Migrations {
    /// Moves of keys between issues, each event's primary key, and since when keys are made as they are.
    static let moves = """
        CREATE TABLE event_keys (
            event_row INTEGER PRIMARY KEY REFERENCES events(id) ON DELETE CASCADE, version INTEGER NOT NULL,
            kind TEXT NOT NULL, value TEXT NOT NULL);
        CREATE INDEX event_keys_by_value ON event_keys (value);
        CREATE TABLE issue_moves (
            id INTEGER PRIMARY KEY AUTOINCREMENT, project_id INTEGER NOT NULL, kind TEXT NOT NULL,
            source INTEGER NOT NULL, target INTEGER NOT NULL, at INTEGER NOT NULL, actor TEXT NOT NULL,
            undone_at INTEGER);
        CREATE INDEX issue_moves_by_source ON issue_moves (source);
        CREATE INDEX issue_moves_by_target ON issue_moves (target);
        CREATE TABLE issue_move_keys (
            move_id INTEGER NOT NULL REFERENCES issue_moves(id) ON DELETE CASCADE, version INTEGER NOT NULL,
            kind TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (move_id, version, kind, value)) WITHOUT ROWID;
        CREATE TABLE grouping_versions (
            project_id INTEGER NOT NULL, version INTEGER NOT NULL, since INTEGER NOT NULL,
            PRIMARY KEY (project_id, version)) WITHOUT ROWID;
        """
}
