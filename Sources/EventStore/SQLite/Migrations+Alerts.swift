// SPDX-License-Identifier: Apache-2.0

extension Migrations {
    /// Whom projects tell, and what they are told. A row of `alerts` is one alert for one target.
    static let alerts = """
        CREATE TABLE alert_targets (
            id INTEGER PRIMARY KEY AUTOINCREMENT, project_id INTEGER NOT NULL REFERENCES projects(id),
            channel TEXT NOT NULL, address TEXT NOT NULL, kinds TEXT NOT NULL, secret TEXT NOT NULL,
            created_at INTEGER NOT NULL);
        CREATE INDEX alert_targets_by_project ON alert_targets (project_id);
        CREATE TABLE alerts (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            target_id INTEGER NOT NULL REFERENCES alert_targets(id) ON DELETE CASCADE, once_key TEXT NOT NULL,
            kind TEXT NOT NULL, issue_id INTEGER, title TEXT NOT NULL, details TEXT NOT NULL,
            created_at INTEGER NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL, next_at INTEGER,
            finished_at INTEGER, last_error TEXT, UNIQUE (target_id, once_key));
        CREATE INDEX alerts_by_target ON alerts (target_id, created_at);
        CREATE INDEX alerts_by_time ON alerts (next_at) WHERE state = 'waiting';
        """
}
