// SPDX-License-Identifier: Apache-2.0

extension Migrations {
    /// Which rules hold for the texts of a project's events, and by which key captured memory is sealed.
    static let privacy = """
        CREATE TABLE scrub_settings (
            project_id INTEGER PRIMARY KEY REFERENCES projects(id), document TEXT NOT NULL, changed_at INTEGER NOT NULL);
        CREATE TABLE sealing (id INTEGER PRIMARY KEY, sample BLOB NOT NULL);
        """
}
