// SPDX-License-Identifier: Apache-2.0

extension Migrations {
    /// Where the code of projects is hosted, and the commits of releases.
    static let sourceLinks = """
        CREATE TABLE source_links (
            project_id INTEGER PRIMARY KEY REFERENCES projects(id), template TEXT NOT NULL, prefix TEXT);
        CREATE TABLE release_commits (
            project_id INTEGER NOT NULL, release TEXT NOT NULL, revision TEXT NOT NULL,
            PRIMARY KEY (project_id, release)) WITHOUT ROWID;
        """
}
