// SPDX-License-Identifier: Apache-2.0

extension Migrations {
    /// Users and their parts, scopes of tokens, and what was done. Tokens from before are the operator's own; sessions from
    /// before end.
    static let accounts = """
        CREATE TABLE users (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, password TEXT NOT NULL, server_admin INTEGER NOT NULL,
            disabled INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL);
        CREATE TABLE members (
            project_id INTEGER NOT NULL REFERENCES projects(id),
            user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE, role TEXT NOT NULL,
            PRIMARY KEY (project_id, user_id));
        CREATE INDEX members_by_user ON members (user_id);
        ALTER TABLE credentials ADD COLUMN name TEXT;
        ALTER TABLE credentials ADD COLUMN scopes TEXT NOT NULL DEFAULT '';
        ALTER TABLE credentials ADD COLUMN expires_at INTEGER;
        UPDATE credentials SET scopes = 'server' WHERE kind = 'admin';
        CREATE INDEX credentials_by_project ON credentials (project_id, kind);
        DROP TABLE login_links;
        CREATE TABLE login_links (
            hash BLOB PRIMARY KEY, credential_id INTEGER NOT NULL REFERENCES credentials(id),
            expires_at INTEGER NOT NULL);
        DROP TABLE web_sessions;
        CREATE TABLE web_sessions (
            hash BLOB PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES projects(id),
            user_id INTEGER REFERENCES users(id) ON DELETE CASCADE, credential_id INTEGER REFERENCES credentials(id),
            expires_at INTEGER NOT NULL);
        CREATE INDEX web_sessions_by_user ON web_sessions (user_id);
        CREATE INDEX web_sessions_by_credential ON web_sessions (credential_id);
        CREATE TABLE audit_log (
            id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
            target TEXT, project_id INTEGER, address TEXT);
        CREATE INDEX audit_log_by_project ON audit_log (project_id, id);
        CREATE INDEX audit_log_by_action ON audit_log (action, id);
        """
}
