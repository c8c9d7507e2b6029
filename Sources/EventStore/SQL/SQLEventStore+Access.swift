// SPDX-License-Identifier: Apache-2.0
package import VakaModel

extension SQLEventStore {
    package func projects() throws(StoreError) -> [Project] {
        try read { (connection) throws(StoreError) in
            try connection.query("SELECT id, slug FROM projects ORDER BY id") {
                Project(id: $0.integer(0), slug: $0.text(1))
            }
        }
    }

    package func project(slug: String) throws(StoreError) -> Project? {
        try read { (connection) throws(StoreError) in
            try connection.first("SELECT id, slug FROM projects WHERE slug = ?", [.text(slug)]) {
                Project(id: $0.integer(0), slug: $0.text(1))
            }
        }
    }

    package func createProject(slug: String, credentials: [Credential]) throws(StoreError) -> Project {
        try write { (connection) throws(StoreError) in
            let added = try connection.first(
                "INSERT INTO projects (slug, created_at) VALUES (?, ?) ON CONFLICT (slug) DO NOTHING RETURNING id",
                [.text(slug), .time(connection.now)]
            ) { $0.integer(0) }
            guard let added else { throw StoreError(.exists, "there is a project \"\(slug)\"") }
            let project = Project(id: added, slug: slug)
            for credential in credentials {
                _ = try CredentialRow.insert(credential, project: project.id, connection)
            }
            return project
        }
    }

    package func credentials(kind: Credential.Kind, prefix: String) throws(StoreError) -> [OwnedCredential] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                CredentialRow.select + " WHERE c.prefix = ? AND c.kind = ? AND c.revoked_at IS NULL",
                [.text(prefix), .text(kind.rawValue)], CredentialRow.read)
        }
    }

    package func credentials(project: Int64, kind: Credential.Kind) throws(StoreError) -> [OwnedCredential] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                CredentialRow.select + " WHERE c.project_id = ? AND c.kind = ? ORDER BY c.id",
                [.integer(project), .text(kind.rawValue)], CredentialRow.read)
        }
    }

    package func addCredential(_ credential: Credential, project: Int64) throws(StoreError) -> OwnedCredential {
        try write { (connection) throws(StoreError) in
            let id = try CredentialRow.insert(credential, project: project, connection)
            let added = try connection.first(
                CredentialRow.select + " WHERE c.id = ?", [.integer(id)], CredentialRow.read)
            guard let added else { throw StoreError(.failed, "there is no project of the number \(project)") }
            return added
        }
    }

    package func revokeCredential(
        id: Int64, project: Int64, kind: Credential.Kind, now: Timestamp
    ) throws(StoreError) -> Bool {
        try write { (connection) throws(StoreError) in
            let revoked = try connection.run(
                """
                UPDATE credentials SET revoked_at = ? WHERE id = ? AND project_id = ? AND kind = ? AND revoked_at IS NULL
                """, [.time(now), .integer(id), .integer(project), .text(kind.rawValue)])
            guard revoked > 0 else { return false }
            try connection.run("DELETE FROM web_sessions WHERE credential_id = ?", [.integer(id)])
            try connection.run("DELETE FROM login_links WHERE credential_id = ?", [.integer(id)])
            return true
        }
    }
}
