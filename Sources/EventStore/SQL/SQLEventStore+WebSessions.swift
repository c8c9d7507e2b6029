// SPDX-License-Identifier: Apache-2.0
package import VakaModel

extension SQLEventStore {
    package func addLoginLink(hash: [UInt8], credential: Int64, expires: Timestamp) throws(StoreError) {
        try write { (connection) throws(StoreError) in
            try connection.run("DELETE FROM login_links WHERE expires_at < ?", [.time(connection.now)])
            try connection.run(
                "INSERT INTO login_links (hash, credential_id, expires_at) VALUES (?, ?, ?)",
                [.bytes(hash), .integer(credential), .time(expires)])
        }
    }

    package func consumeLoginLink(hash: [UInt8], now: Timestamp) throws(StoreError) -> OwnedCredential? {
        try write { (connection) throws(StoreError) in
            let credential = try connection.first(
                CredentialRow.select
                    + " JOIN login_links l ON l.credential_id = c.id WHERE l.hash = ? AND l.expires_at >= ?",
                [.bytes(hash), .time(now)], CredentialRow.read)
            try connection.run("DELETE FROM login_links WHERE hash = ?", [.bytes(hash)])
            return credential.flatMap { $0.isValid(at: now) ? $0 : nil }
        }
    }

    package func addWebSession(
        hash: [UInt8], owner: SessionOwner, project: Int64, expires: Timestamp
    ) throws(StoreError) {
        let (user, credential): (SQLValue, SQLValue) =
            switch owner {
            case .user(let id): (.integer(id), .null)
            case .credential(let id): (.null, .integer(id))
            }
        try write { (connection) throws(StoreError) in
            try connection.run("DELETE FROM web_sessions WHERE expires_at < ?", [.time(connection.now)])
            try connection.run(
                "INSERT INTO web_sessions (hash, project_id, user_id, credential_id, expires_at) VALUES (?, ?, ?, ?, ?)",
                [.bytes(hash), .integer(project), user, credential, .time(expires)])
        }
    }

    package func webSession(hash: [UInt8], now: Timestamp) throws(StoreError) -> WebSession? {
        try read { (connection) throws(StoreError) in
            let found = try connection.first(
                """
                SELECT s.user_id, s.credential_id, p.id, p.slug FROM web_sessions s JOIN projects p ON p.id = s.project_id
                WHERE s.hash = ? AND s.expires_at >= ?
                """, [.bytes(hash), .time(now)]
            ) { row in
                (
                    user: row.isNull(0) ? nil : row.integer(0), credential: row.isNull(1) ? nil : row.integer(1),
                    project: Project(id: row.integer(2), slug: row.text(3))
                )
            }
            guard let found else { return nil }
            if let id = found.user {
                let owner = try Self.owner(user: id, in: found.project, connection)
                return owner.map { WebSession(owner: $0, project: found.project) }
            }
            let credential = try connection.first(
                CredentialRow.select + " WHERE c.id = ?", [.integer(found.credential ?? 0)], CredentialRow.read)
            guard let credential, credential.isValid(at: now) else { return nil }
            return WebSession(owner: .credential(credential), project: found.project)
        }
    }

    private static func owner(
        user id: Int64, in project: Project, _ connection: SQLConnection
    ) throws(StoreError) -> WebSession.Owner? {
        let user = try connection.first(UserRow.select + " WHERE id = ?", [.integer(id)], UserRow.read)
        guard let user, !user.isDisabled else { return nil }
        let role = try connection.first(
            "SELECT role FROM members WHERE project_id = ? AND user_id = ?", [.integer(project.id), .integer(id)]
        ) { Role(rawValue: $0.text(0)) }
        return .user(user, role ?? nil)
    }

    package func setProject(ofWebSession hash: [UInt8], to project: Int64) throws(StoreError) {
        try write { (connection) throws(StoreError) in
            try connection.run(
                "UPDATE web_sessions SET project_id = ? WHERE hash = ?", [.integer(project), .bytes(hash)])
        }
    }

    package func removeWebSession(hash: [UInt8]) throws(StoreError) {
        try write { (connection) throws(StoreError) in
            try connection.run("DELETE FROM web_sessions WHERE hash = ?", [.bytes(hash)])
        }
    }
}
