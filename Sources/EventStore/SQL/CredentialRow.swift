// SPDX-License-Identifier: Apache-2.0

/// Reads keys and tokens.
enum CredentialRow {
    static let select = """
        SELECT c.id, c.kind, c.prefix, c.hash, c.name, c.scopes, c.expires_at, c.created_at, c.revoked_at, p.id, p.slug
        FROM credentials c JOIN projects p ON p.id = c.project_id
        """

    static func read(_ row: SQLRow) -> OwnedCredential {
        OwnedCredential(
            id: row.integer(0),
            credential: Credential(
                kind: Credential.Kind(rawValue: row.text(1)) ?? .ingest, prefix: row.text(2), hash: row.bytes(3),
                name: row.optionalText(4), scopes: row.text(5), expires: row.optionalTime(6)),
            project: Project(id: row.integer(9), slug: row.text(10)), createdAt: row.time(7),
            revokedAt: row.optionalTime(8))
    }

    /// Inside a transaction that its caller holds.
    static func insert(
        _ credential: Credential, project: Int64, _ connection: SQLConnection
    ) throws(StoreError) -> Int64 {
        try connection.insert(
            """
            INSERT INTO credentials (project_id, kind, prefix, hash, name, scopes, expires_at, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(project), .text(credential.kind.rawValue), .text(credential.prefix), .bytes(credential.hash),
                .optional(credential.name), .text(credential.scopes), credential.expires.map { .time($0) } ?? .null,
                .time(connection.now),
            ])
    }
}
