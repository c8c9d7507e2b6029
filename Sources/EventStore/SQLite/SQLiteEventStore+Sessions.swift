// SPDX-License-Identifier: Apache-2.0
package import VakaModel

extension SQLiteEventStore {
    package func complete(session: Session, sequence: Int64, project: Int64) throws(StoreError) {
        let milliseconds = session.duration.map { Int(min(max(0, $0 * 1000), 1e15)) }
        try finish(sequence: sequence) { (connection) throws(StoreError) in
            try connection.run(
                """
                INSERT INTO sessions (project_id, id, started, status, duration_ms, errors, release, environment)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (project_id, id) DO UPDATE SET
                    status = CASE WHEN sessions.status IN ('ok', 'errored') THEN excluded.status ELSE sessions.status END,
                    duration_ms = max(coalesce(duration_ms, 0), coalesce(excluded.duration_ms, 0)),
                    errors = max(coalesce(errors, 0), coalesce(excluded.errors, 0)),
                    release = coalesce(excluded.release, release),
                    environment = coalesce(excluded.environment, environment)
                """,
                [
                    .integer(project), .text(session.id), .time(session.started), .text(session.status.rawValue),
                    .optional(milliseconds), .optional(session.errors), .optional(session.release),
                    .optional(session.environment),
                ])
        }
    }

    package func complete(
        clientReport counts: [String: Int64], sequence: Int64, project: Int64
    ) throws(StoreError) {
        try finish(sequence: sequence) { (connection) throws(StoreError) in
            for (reason, count) in counts {
                try connection.run(
                    """
                    INSERT INTO client_reports (project_id, reason, count) VALUES (?, ?, ?)
                    ON CONFLICT (project_id, reason) DO UPDATE SET count = count + excluded.count
                    """, [.integer(project), .text(reason), .integer(count)])
            }
        }
    }

    package func clientReports(project: Int64) throws(StoreError) -> [String: Int64] {
        let rows = try read { (connection) throws(StoreError) in
            try connection.query(
                "SELECT reason, count FROM client_reports WHERE project_id = ?", [.integer(project)]
            ) { ($0.text(0), $0.integer(1)) }
        }
        return Dictionary(rows, uniquingKeysWith: { _, last in last })
    }
}
