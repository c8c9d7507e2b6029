// SPDX-License-Identifier: Apache-2.0

/// The numbered steps from an empty database to the present one. A step is never changed once released.
enum Migrations {
    static let steps: [String] = [
        access, spool, issues, events, images, sessions, sources, hangs, installations, windows, attachments, limits,
        decisions, counts, search, moves, retention, space, imageUses, heartbeat, sourceLinks,
        words, accounts, privacy, alerts, sealedAttachments,
        housekeeping, journal, network, recordings, recordingNames,
    ]

    /// Brings the database up to date, each step in a transaction of its own.
    static func run(on connection: SQLConnection) throws(StoreError) {
        try connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)")
        let current = try connection.first("SELECT max(version) FROM schema_version", []) { $0.int(0) } ?? 0
        guard current <= steps.count else {
            throw StoreError(
                .newerSchema,
                "the database is of a newer version (\(current)) than this program knows (\(steps.count)); "
                    + "run the newer vaka-server, or restore the backup made before it")
        }
        // A step may sort more than memory should hold.
        try connection.execute("PRAGMA temp_store = FILE")
        for (index, step) in steps.enumerated().dropFirst(current) {
            try connection.transaction { (connection) throws(StoreError) in
                try connection.execute(step)
                try connection.run("INSERT INTO schema_version (version) VALUES (?)", [.integer(Int64(index + 1))])
            }
        }
        try connection.execute("PRAGMA temp_store = MEMORY")
    }

    private static let access = """
        CREATE TABLE projects (
            id INTEGER PRIMARY KEY, slug TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL);
        CREATE TABLE credentials (
            id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES projects(id), kind TEXT NOT NULL,
            prefix TEXT NOT NULL, hash BLOB NOT NULL, created_at INTEGER NOT NULL, revoked_at INTEGER);
        CREATE INDEX credentials_by_prefix ON credentials (prefix);
        CREATE TABLE login_links (
            hash BLOB PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES projects(id), expires_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE web_sessions (
            hash BLOB PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES projects(id), expires_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    private static let spool = """
        CREATE TABLE spool (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT, project_id INTEGER NOT NULL, kind TEXT NOT NULL,
            item_id TEXT NOT NULL, received_at INTEGER NOT NULL, payload BLOB NOT NULL);
        CREATE TABLE accepted_items (
            project_id INTEGER NOT NULL, kind TEXT NOT NULL, item_id TEXT NOT NULL, received_at INTEGER NOT NULL,
            PRIMARY KEY (project_id, kind, item_id)) WITHOUT ROWID;
        CREATE TABLE other_items (
            id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL, kind TEXT NOT NULL, item_id TEXT NOT NULL,
            received_at INTEGER NOT NULL, payload BLOB NOT NULL);
        """

    private static let issues = """
        CREATE TABLE issues (
            id INTEGER PRIMARY KEY AUTOINCREMENT, project_id INTEGER NOT NULL, title TEXT NOT NULL, culprit TEXT,
            type TEXT NOT NULL, level TEXT NOT NULL, status TEXT NOT NULL, first_seen INTEGER NOT NULL,
            last_seen INTEGER NOT NULL, events INTEGER NOT NULL, latest_event TEXT, basis INTEGER NOT NULL,
            merged_into INTEGER REFERENCES issues(id));
        CREATE INDEX issues_by_time ON issues (project_id, last_seen DESC, id DESC) WHERE merged_into IS NULL;
        CREATE TABLE issue_aliases (
            project_id INTEGER NOT NULL, version INTEGER NOT NULL, kind TEXT NOT NULL, value TEXT NOT NULL,
            issue_id INTEGER NOT NULL REFERENCES issues(id), PRIMARY KEY (project_id, version, kind, value)
        ) WITHOUT ROWID;
        CREATE INDEX issue_aliases_by_issue ON issue_aliases (issue_id);
        """

    private static let events = """
        CREATE TABLE events (
            id INTEGER PRIMARY KEY AUTOINCREMENT, project_id INTEGER NOT NULL, event_id TEXT NOT NULL,
            issue_id INTEGER NOT NULL REFERENCES issues(id), type TEXT NOT NULL, level TEXT NOT NULL,
            timestamp INTEGER NOT NULL, received_at INTEGER NOT NULL, release TEXT, environment TEXT,
            title TEXT NOT NULL, memory TEXT NOT NULL, document BLOB NOT NULL, grouping BLOB NOT NULL,
            UNIQUE (project_id, event_id));
        CREATE INDEX events_by_issue ON events (issue_id, id DESC);
        CREATE INDEX events_by_release ON events (project_id, release);
        CREATE TABLE event_reports (
            event_row INTEGER PRIMARY KEY REFERENCES events(id) ON DELETE CASCADE, received_at INTEGER NOT NULL,
            payload BLOB NOT NULL);
        CREATE INDEX event_reports_by_time ON event_reports (received_at);
        """

    private static let images = """
        CREATE TABLE artifacts (
            id INTEGER PRIMARY KEY AUTOINCREMENT, project_id INTEGER NOT NULL, build_id TEXT NOT NULL,
            has_code INTEGER NOT NULL, has_debug_info INTEGER NOT NULL, size INTEGER NOT NULL, name TEXT, release TEXT,
            uploaded_at INTEGER NOT NULL);
        CREATE INDEX artifacts_by_build_id ON artifacts (build_id);
        CREATE TABLE waiting_images (
            build_id TEXT NOT NULL, event_row INTEGER NOT NULL REFERENCES events(id) ON DELETE CASCADE,
            PRIMARY KEY (build_id, event_row)) WITHOUT ROWID;
        CREATE INDEX waiting_images_by_event ON waiting_images (event_row);
        CREATE TABLE mend_queue (
            event_row INTEGER PRIMARY KEY REFERENCES events(id) ON DELETE CASCADE);
        """

    private static let hangs = """
        CREATE TABLE hang_ends (
            project_id INTEGER NOT NULL, event_id TEXT NOT NULL, outcome TEXT NOT NULL, duration_ms INTEGER,
            timestamp INTEGER NOT NULL, PRIMARY KEY (project_id, event_id)) WITHOUT ROWID;
        """

    private static let sessions = """
        CREATE TABLE sessions (
            project_id INTEGER NOT NULL, id TEXT NOT NULL, started INTEGER NOT NULL, status TEXT NOT NULL,
            duration_ms INTEGER, errors INTEGER, release TEXT, environment TEXT, PRIMARY KEY (project_id, id)
        ) WITHOUT ROWID;
        CREATE INDEX sessions_by_release ON sessions (project_id, release);
        CREATE TABLE client_reports (
            project_id INTEGER NOT NULL, reason TEXT NOT NULL, count INTEGER NOT NULL,
            PRIMARY KEY (project_id, reason)) WITHOUT ROWID;
        """

    private static let installations = """
        CREATE TABLE installations (
            project_id INTEGER NOT NULL, install_id TEXT NOT NULL, first_seen INTEGER NOT NULL,
            last_seen INTEGER NOT NULL, batches INTEGER NOT NULL, duplicates INTEGER NOT NULL,
            PRIMARY KEY (project_id, install_id));
        CREATE INDEX installations_by_time ON installations (project_id, last_seen DESC);
        CREATE TABLE batch_ranges (
            project_id INTEGER NOT NULL, install_id TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
            PRIMARY KEY (project_id, install_id, first)) WITHOUT ROWID;
        CREATE INDEX batch_ranges_by_last ON batch_ranges (project_id, install_id, last);
        CREATE TABLE sdk_settings (
            project_id INTEGER PRIMARY KEY REFERENCES projects(id), document TEXT NOT NULL, changed_at INTEGER NOT NULL);
        """

    private static let windows = """
        ALTER TABLE sessions ADD COLUMN cause TEXT;
        ALTER TABLE sessions ADD COLUMN window_ms INTEGER;
        ALTER TABLE sessions ADD COLUMN requests TEXT;
        ALTER TABLE sessions ADD COLUMN sample_rate REAL;
        """

    private static let attachments = """
        CREATE TABLE attachments (
            project_id INTEGER NOT NULL, event_id TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL,
            content_type TEXT, size INTEGER NOT NULL, start INTEGER NOT NULL, missing TEXT, data BLOB,
            PRIMARY KEY (project_id, event_id, number));
        """

    private static let sources = """
        ALTER TABLE artifacts ADD COLUMN kind TEXT NOT NULL DEFAULT 'native';
        ALTER TABLE artifacts ADD COLUMN source_files INTEGER;
        ALTER TABLE artifacts ADD COLUMN verified_files INTEGER;
        CREATE TABLE waiting_sources (
            build_id TEXT NOT NULL, event_row INTEGER NOT NULL REFERENCES events(id) ON DELETE CASCADE,
            PRIMARY KEY (build_id, event_row)) WITHOUT ROWID;
        CREATE INDEX waiting_sources_by_event ON waiting_sources (event_row);
        CREATE TABLE source_queue (
            event_row INTEGER PRIMARY KEY REFERENCES events(id) ON DELETE CASCADE);
        """
}
