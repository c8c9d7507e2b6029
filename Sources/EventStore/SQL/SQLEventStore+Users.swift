// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension SQLEventStore {
    package func addUser(name: String, passwordHash: String, isServerAdmin: Bool) throws(StoreError) -> User {
        try write { (connection) throws(StoreError) in
            let added = try connection.run(
                """
                INSERT INTO users (name, password, server_admin, created_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (name) DO NOTHING
                """, [.text(name), .text(passwordHash), .bool(isServerAdmin), .time(connection.now)])
            let user = try connection.first(UserRow.select + " WHERE name = ?", [.text(name)], UserRow.read)
            guard added > 0, let user else { throw StoreError(.exists, "there is a user \"\(name)\"") }
            return user
        }
    }

    package func users() throws(StoreError) -> [User] {
        try read { (connection) throws(StoreError) in
            try connection.query(UserRow.select + " ORDER BY name", [], UserRow.read)
        }
    }

    package func user(name: String) throws(StoreError) -> User? {
        try login(name: name)?.user
    }

    package func login(name: String) throws(StoreError) -> (user: User, passwordHash: String)? {
        try read { (connection) throws(StoreError) in
            try connection.first(UserRow.select + " WHERE name = ?", [.text(name)]) { (UserRow.read($0), $0.text(5)) }
        }
    }

    package func change(user id: Int64, _ change: UserChange) throws(StoreError) -> Bool {
        try write { (connection) throws(StoreError) in
            let known = try connection.first("SELECT 1 FROM users WHERE id = ?", [.integer(id)]) { $0.integer(0) }
            guard known != nil else { return false }
            if let hash = change.passwordHash {
                try connection.run("UPDATE users SET password = ? WHERE id = ?", [.text(hash), .integer(id)])
            }
            if let isAdmin = change.isServerAdmin {
                try connection.run("UPDATE users SET server_admin = ? WHERE id = ?", [.bool(isAdmin), .integer(id)])
            }
            if let isDisabled = change.isDisabled {
                try connection.run("UPDATE users SET disabled = ? WHERE id = ?", [.bool(isDisabled), .integer(id)])
            }
            if change.passwordHash != nil || change.isDisabled == true { try Self.endSessions(id, connection) }
            return true
        }
    }

    package func removeUser(id: Int64) throws(StoreError) -> Bool {
        try write { (connection) throws(StoreError) in
            try connection.run("DELETE FROM users WHERE id = ?", [.integer(id)]) > 0
        }
    }

    package func endSessions(ofUser id: Int64) throws(StoreError) -> Int {
        try write { (connection) throws(StoreError) in try Self.endSessions(id, connection) }
    }

    @discardableResult
    private static func endSessions(_ user: Int64, _ connection: SQLConnection) throws(StoreError) -> Int {
        try connection.run("DELETE FROM web_sessions WHERE user_id = ?", [.integer(user)])
    }

    package func members(project: Int64) throws(StoreError) -> [Member] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT u.name, m.role FROM members m JOIN users u ON u.id = m.user_id WHERE m.project_id = ?
                ORDER BY u.name
                """, [.integer(project)]
            ) { Member(user: $0.text(0), role: Role(rawValue: $0.text(1)) ?? .readOnly) }
        }
    }

    package func projects(ofUser id: Int64) throws(StoreError) -> [Project] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                "SELECT p.id, p.slug FROM members m JOIN projects p ON p.id = m.project_id WHERE m.user_id = ? ORDER BY p.id",
                [.integer(id)]
            ) { Project(id: $0.integer(0), slug: $0.text(1)) }
        }
    }

    package func setRole(_ role: Role?, user id: Int64, project: Int64) throws(StoreError) {
        let place: [SQLValue] = [.integer(project), .integer(id)]
        try write { (connection) throws(StoreError) in
            guard let role else {
                try connection.run("DELETE FROM members WHERE project_id = ? AND user_id = ?", place)
                return
            }
            try connection.run(
                """
                INSERT INTO members (project_id, user_id, role) VALUES (?, ?, ?)
                ON CONFLICT (project_id, user_id) DO UPDATE SET role = excluded.role
                """, place + [.text(role.rawValue)])
        }
    }
}
