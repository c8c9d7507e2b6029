// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension SQLEventStore {
    private static let mostEntries: Int64 = 200_000
    private static let mostFailedLogins: Int64 = 10_000

    package func audit(_ entry: AuditEntry) throws(StoreError) {
        let isFailedLogin = entry.action == AuditEntry.failedLogin
        try write { (connection) throws(StoreError) in
            let row = try connection.insert(
                "INSERT INTO audit_log (at, actor, action, target, project_id, address) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    .time(entry.at), .text(entry.actor), .text(entry.action), .optional(entry.target),
                    entry.project.map { .integer($0) } ?? .null, .optional(entry.address),
                ])
            // Not at each: it is looked for among all that are there.
            guard row % 64 == 0 else { return }
            let kind = isFailedLogin ? "action = ?1" : "action <> ?1"
            try connection.run(
                """
                DELETE FROM audit_log WHERE \(kind) AND id <= (
                    SELECT id FROM audit_log WHERE \(kind) ORDER BY id DESC LIMIT 1 OFFSET ?2)
                """,
                [
                    .text(AuditEntry.failedLogin),
                    .integer(isFailedLogin ? Self.mostFailedLogins : Self.mostEntries),
                ])
        }
    }

    package func auditLog(project: Int64?, after: Cursor?, limit: Int) throws(StoreError) -> Page<AuditEntry> {
        let condition = project == nil ? "" : "project_id = ? AND "
        let values: [SQLValue] = project.map { [.integer($0)] } ?? []
        let rows = try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT id, at, actor, action, target, project_id, address FROM audit_log WHERE \(condition)id < ?
                ORDER BY id DESC LIMIT ?
                """, values + [.integer(after?.first ?? .max), .integer(Int64(limit) + 1)]
            ) { row in
                var entry = AuditEntry(
                    at: row.time(1), actor: row.text(2), action: row.text(3), target: row.optionalText(4),
                    project: row.isNull(5) ? nil : row.integer(5), address: row.optionalText(6))
                entry.id = row.integer(0)
                return entry
            }
        }
        return Page(rows, limit: limit) { Cursor($0.id) }
    }
}
