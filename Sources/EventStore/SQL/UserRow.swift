// SPDX-License-Identifier: Apache-2.0

/// Reads users.
enum UserRow {
    static let select = "SELECT id, name, server_admin, disabled, created_at, password FROM users"

    static func read(_ row: SQLRow) -> User {
        User(
            id: row.integer(0), name: row.text(1), isServerAdmin: row.bool(2), isDisabled: row.bool(3),
            createdAt: row.time(4))
    }
}
