// SPDX-License-Identifier: Apache-2.0

extension SQLEventStore {
    package func sourceLink(project: Int64) throws(StoreError) -> SourceLink? {
        try read { (connection) throws(StoreError) in
            try connection.first(
                "SELECT template, prefix FROM source_links WHERE project_id = ?", [.integer(project)]
            ) { SourceLink(template: $0.text(0), prefix: $0.optionalText(1)) }
        }
    }

    package func setSourceLink(_ link: SourceLink?, project: Int64) throws(StoreError) {
        try write { (connection) throws(StoreError) in
            guard let link else {
                try connection.run("DELETE FROM source_links WHERE project_id = ?", [.integer(project)])
                return
            }
            try connection.run(
                """
                INSERT INTO source_links (project_id, template, prefix) VALUES (?, ?, ?)
                ON CONFLICT (project_id) DO UPDATE SET template = excluded.template, prefix = excluded.prefix
                """,
                [.integer(project), .text(link.template), .optional(link.prefix)])
        }
    }

    package func commit(project: Int64, release: String) throws(StoreError) -> String? {
        try read { (connection) throws(StoreError) in
            try connection.first(
                "SELECT revision FROM release_commits WHERE project_id = ? AND release = ?",
                [.integer(project), .text(release)]
            ) { $0.text(0) }
        }
    }

    package func setCommit(_ commit: String, of release: String, project: Int64) throws(StoreError) {
        try write { (connection) throws(StoreError) in
            try connection.run(
                """
                INSERT INTO release_commits (project_id, release, revision) VALUES (?, ?, ?)
                ON CONFLICT (project_id, release) DO UPDATE SET revision = excluded.revision
                """,
                [.integer(project), .text(release), .text(commit)])
        }
    }
}
