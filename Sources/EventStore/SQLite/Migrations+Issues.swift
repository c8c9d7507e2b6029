// SPDX-License-Identifier: Apache-2.0

extension Migrations {
    /// What people decide about issues, the history of it, and the order in which releases were first seen.
    static let decisions = """
        ALTER TABLE issues ADD COLUMN changed_at INTEGER;
        ALTER TABLE issues ADD COLUMN changed_by TEXT;
        ALTER TABLE issues ADD COLUMN resolved_in TEXT;
        ALTER TABLE issues ADD COLUMN resolved_after INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE issues ADD COLUMN muted_until INTEGER;
        ALTER TABLE issues ADD COLUMN mute_events INTEGER;
        ALTER TABLE issues ADD COLUMN mute_window INTEGER;
        ALTER TABLE issues ADD COLUMN assignee TEXT;
        CREATE INDEX issues_by_mute ON issues (project_id, muted_until)
            WHERE status = 'muted' AND muted_until IS NOT NULL;
        CREATE INDEX issues_by_target ON issues (merged_into) WHERE merged_into IS NOT NULL;
        CREATE TABLE mute_counts (
            issue_id INTEGER NOT NULL REFERENCES issues(id) ON DELETE CASCADE, start INTEGER NOT NULL,
            events INTEGER NOT NULL, PRIMARY KEY (issue_id, start)) WITHOUT ROWID;
        CREATE TABLE issue_history (
            id INTEGER PRIMARY KEY AUTOINCREMENT, issue_id INTEGER NOT NULL REFERENCES issues(id) ON DELETE CASCADE,
            at INTEGER NOT NULL, actor TEXT NOT NULL, change TEXT NOT NULL, text TEXT, other_issue INTEGER,
            event_id TEXT);
        CREATE INDEX issue_history_by_issue ON issue_history (issue_id, id DESC);
        CREATE TABLE releases (
            id INTEGER PRIMARY KEY AUTOINCREMENT, project_id INTEGER NOT NULL, name TEXT NOT NULL,
            events INTEGER NOT NULL, crashes INTEGER NOT NULL, first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL,
            UNIQUE (project_id, name));
        INSERT INTO releases (project_id, name, events, crashes, first_seen, last_seen)
            SELECT project_id, release, sum(events), sum(crashes), min(first), max(last) FROM (
                SELECT project_id, release, count(*) AS events, sum(type = 'crash') AS crashes, min(timestamp) AS first,
                    max(timestamp) AS last
                FROM events WHERE release IS NOT NULL GROUP BY project_id, release
                UNION ALL
                SELECT project_id, release, 0, 0, min(started), max(started) FROM sessions WHERE release IS NOT NULL
                GROUP BY project_id, release)
            GROUP BY project_id, release ORDER BY min(first);
        """

    /// Events by hour and day, and what each issue touched.
    static let counts = """
        ALTER TABLE spool ADD COLUMN install_id TEXT;
        ALTER TABLE events ADD COLUMN user TEXT;
        ALTER TABLE issues ADD COLUMN users INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE sessions ADD COLUMN install_id TEXT;
        CREATE INDEX sessions_by_start ON sessions (project_id, started);
        CREATE TABLE issue_counts (
            issue_id INTEGER NOT NULL REFERENCES issues(id) ON DELETE CASCADE, unit TEXT NOT NULL,
            start INTEGER NOT NULL, events INTEGER NOT NULL, PRIMARY KEY (issue_id, unit, start)) WITHOUT ROWID;
        CREATE TABLE project_counts (
            project_id INTEGER NOT NULL, unit TEXT NOT NULL, start INTEGER NOT NULL, type TEXT NOT NULL,
            events INTEGER NOT NULL, PRIMARY KEY (project_id, unit, start, type)) WITHOUT ROWID;
        CREATE TABLE issue_values (
            issue_id INTEGER NOT NULL REFERENCES issues(id) ON DELETE CASCADE, kind TEXT NOT NULL, value TEXT NOT NULL,
            events INTEGER NOT NULL, first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL,
            PRIMARY KEY (issue_id, kind, value)) WITHOUT ROWID;
        CREATE INDEX issue_values_by_value ON issue_values (kind, value, issue_id);
        INSERT INTO issue_counts SELECT issue_id, 'hour', timestamp / 3600000 * 3600000, count(*) FROM events
            GROUP BY 1, 3;
        INSERT INTO issue_counts SELECT issue_id, 'day', timestamp / 86400000 * 86400000, count(*) FROM events
            GROUP BY 1, 3;
        INSERT INTO project_counts SELECT project_id, 'hour', timestamp / 3600000 * 3600000, type, count(*)
            FROM events GROUP BY 1, 3, 4;
        INSERT INTO project_counts SELECT project_id, 'day', timestamp / 86400000 * 86400000, type, count(*)
            FROM events GROUP BY 1, 3, 4;
        INSERT INTO issue_values SELECT issue_id, 'release', release, count(*), min(timestamp), max(timestamp)
            FROM events WHERE release IS NOT NULL GROUP BY 1, 3;
        INSERT INTO issue_values SELECT issue_id, 'environment', environment, count(*), min(timestamp), max(timestamp)
            FROM events WHERE environment IS NOT NULL GROUP BY 1, 3;
        """

    /// Words of issues, and an index for each order of the list. The rows of an issue in `issue_search` are numbered from
    /// its own number, shifted (see `SearchWriter`).
    static let search = """
        CREATE VIRTUAL TABLE issue_search USING fts5(
            title, function, file, message, tag, breadcrumb, content = '', tokenize = 'unicode61 remove_diacritics 2');
        CREATE TABLE issue_texts (
            issue_id INTEGER NOT NULL REFERENCES issues(id) ON DELETE CASCADE, hash INTEGER NOT NULL,
            PRIMARY KEY (issue_id, hash)) WITHOUT ROWID;
        ALTER TABLE issues ADD COLUMN texts INTEGER NOT NULL DEFAULT 0;
        INSERT INTO issue_search (rowid, title) SELECT id << 20, title || char(10) || coalesce(culprit, '') FROM issues;
        UPDATE issues SET texts = 1;
        CREATE INDEX issues_by_first_seen ON issues (project_id, first_seen DESC, id DESC) WHERE merged_into IS NULL;
        CREATE INDEX issues_by_events ON issues (project_id, events DESC, id DESC) WHERE merged_into IS NULL;
        CREATE INDEX issues_by_users ON issues (project_id, users DESC, id DESC) WHERE merged_into IS NULL;
        """
}
