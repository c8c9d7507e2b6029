// SPDX-License-Identifier: Apache-2.0
package import VakaModel

extension SQLiteEventStore {
    package func projects() throws(StoreError) -> [Project] {
        try read { (connection) throws(StoreError) in
            try connection.query("SELECT id, slug FROM projects ORDER BY id") {
                Project(id: $0.integer(0), slug: $0.text(1))
            }
        }
    }

    package func createProject(slug: String, credentials: [Credential]) throws(StoreError) -> Project {
        try write { (connection) throws(StoreError) in
            let now = SQLiteValue.time(.now)
            try connection.run("INSERT INTO projects (slug, created_at) VALUES (?, ?)", [.text(slug), now])
            let project = Project(id: connection.lastInsertedRow, slug: slug)
            for credential in credentials {
                try connection.run(
                    "INSERT INTO credentials (project_id, kind, prefix, hash, created_at) VALUES (?, ?, ?, ?, ?)",
                    [
                        .integer(project.id), .text(credential.kind.rawValue), .text(credential.prefix),
                        .bytes(credential.hash), now,
                    ])
            }
            return project
        }
    }

    package func credentials(kind: Credential.Kind, prefix: String) throws(StoreError) -> [OwnedCredential] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT c.hash, p.id, p.slug FROM credentials c JOIN projects p ON p.id = c.project_id
                WHERE c.prefix = ? AND c.kind = ? AND c.revoked_at IS NULL
                """, [.text(prefix), .text(kind.rawValue)]
            ) { row in
                OwnedCredential(
                    credential: Credential(kind: kind, prefix: prefix, hash: row.bytes(0)),
                    project: Project(id: row.integer(1), slug: row.text(2)))
            }
        }
    }

    package func addLoginLink(hash: [UInt8], project: Int64, expires: Timestamp) throws(StoreError) {
        try write { (connection) throws(StoreError) in
            try connection.run("DELETE FROM login_links WHERE expires_at < ?", [.time(.now)])
            try connection.run(
                "INSERT INTO login_links (hash, project_id, expires_at) VALUES (?, ?, ?)",
                [.bytes(hash), .integer(project), .time(expires)])
        }
    }

    package func consumeLoginLink(hash: [UInt8], now: Timestamp) throws(StoreError) -> Project? {
        try write { (connection) throws(StoreError) in
            let project = try connection.first(
                """
                SELECT p.id, p.slug FROM login_links l JOIN projects p ON p.id = l.project_id
                WHERE l.hash = ? AND l.expires_at >= ?
                """, [.bytes(hash), .time(now)]
            ) { Project(id: $0.integer(0), slug: $0.text(1)) }
            try connection.run("DELETE FROM login_links WHERE hash = ?", [.bytes(hash)])
            return project
        }
    }

    package func addWebSession(hash: [UInt8], project: Int64, expires: Timestamp) throws(StoreError) {
        try write { (connection) throws(StoreError) in
            try connection.run("DELETE FROM web_sessions WHERE expires_at < ?", [.time(.now)])
            try connection.run(
                "INSERT INTO web_sessions (hash, project_id, expires_at) VALUES (?, ?, ?)",
                [.bytes(hash), .integer(project), .time(expires)])
        }
    }

    package func webSession(hash: [UInt8], now: Timestamp) throws(StoreError) -> Project? {
        try read { (connection) throws(StoreError) in
            try connection.first(
                """
                SELECT p.id, p.slug FROM web_sessions s JOIN projects p ON p.id = s.project_id
                WHERE s.hash = ? AND s.expires_at >= ?
                """, [.bytes(hash), .time(now)]
            ) { Project(id: $0.integer(0), slug: $0.text(1)) }
        }
    }

    package func removeWebSession(hash: [UInt8]) throws(StoreError) {
        try write { (connection) throws(StoreError) in
            try connection.run("DELETE FROM web_sessions WHERE hash = ?", [.bytes(hash)])
        }
    }
}
