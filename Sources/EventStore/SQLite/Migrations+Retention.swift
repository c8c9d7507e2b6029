// SPDX-License-Identifier: Apache-2.0

extension Migrations {
    /// How many events of each issue are stored, what projects keep, and what is removed in the order of time.
    static let retention = """
        CREATE TABLE project_retention (
            project_id INTEGER PRIMARY KEY REFERENCES projects(id), days INTEGER, issue_events INTEGER, events INTEGER);
        ALTER TABLE issues ADD COLUMN stored INTEGER NOT NULL DEFAULT 0;
        UPDATE issues SET stored = (SELECT count(*) FROM events WHERE issue_id = issues.id);
        CREATE INDEX events_by_time ON events (received_at, project_id, issue_id);
        CREATE INDEX accepted_items_by_time ON accepted_items (received_at);
        CREATE INDEX other_items_by_time ON other_items (project_id, received_at);
        ALTER TABLE builds ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
        UPDATE builds SET at = unixepoch() * 1000;
        CREATE INDEX builds_by_time ON builds (project_id, at);
        ALTER TABLE attachments ADD COLUMN received_at INTEGER NOT NULL DEFAULT 0;
        UPDATE attachments SET received_at = unixepoch() * 1000;
        CREATE INDEX attachments_by_time ON attachments (received_at, project_id, event_id);
        ALTER TABLE hang_ends ADD COLUMN received_at INTEGER NOT NULL DEFAULT 0;
        UPDATE hang_ends SET received_at = unixepoch() * 1000;
        CREATE INDEX hang_ends_by_time ON hang_ends (received_at);
        """

    /// Which images stored events need (see `ImageUses`).
    static let imageUses = """
        CREATE TABLE image_sets (
            id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL, members TEXT NOT NULL, events INTEGER NOT NULL,
            UNIQUE (project_id, members));
        CREATE TABLE image_set_members (
            build_id TEXT NOT NULL, set_id INTEGER NOT NULL REFERENCES image_sets(id),
            PRIMARY KEY (build_id, set_id)) WITHOUT ROWID;
        CREATE INDEX image_set_members_by_set ON image_set_members (set_id);
        CREATE TABLE event_image_sets (
            event_row INTEGER PRIMARY KEY REFERENCES events(id) ON DELETE CASCADE, set_id INTEGER NOT NULL);
        """

    /// Written to find out whether anything can be written.
    static let heartbeat =
        "CREATE TABLE heartbeat (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, filling BLOB NOT NULL)"

    /// What is given up for room, in the order of time.
    static let space = """
        CREATE INDEX attachments_with_data ON attachments (received_at) WHERE data IS NOT NULL;
        """

    /// Rounds of housekeeping that somebody asks for; one row.
    static let housekeeping = """
        CREATE TABLE housekeeping (
            id INTEGER PRIMARY KEY, asked INTEGER NOT NULL, begun INTEGER NOT NULL, done INTEGER NOT NULL,
            events INTEGER NOT NULL, records INTEGER NOT NULL);
        INSERT INTO housekeeping (id, asked, begun, done, events, records) VALUES (1, 0, 0, 0, 0, 0);
        """
}
