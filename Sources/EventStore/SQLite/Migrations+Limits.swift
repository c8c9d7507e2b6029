// SPDX-License-Identifier: Apache-2.0

extension Migrations {
    /// What projects allow, the first crash of each build, and what was counted without being stored.
    static let limits = """
        CREATE TABLE project_limits (
            project_id INTEGER PRIMARY KEY REFERENCES projects(id), project_items INTEGER, key_items INTEGER,
            issue_events INTEGER);
        CREATE TABLE builds (
            project_id INTEGER NOT NULL, build TEXT NOT NULL, first_event TEXT NOT NULL,
            PRIMARY KEY (project_id, build)) WITHOUT ROWID;
        CREATE INDEX builds_by_event ON builds (project_id, first_event);
        ALTER TABLE issues ADD COLUMN throttled INTEGER NOT NULL DEFAULT 0;
        """
}
