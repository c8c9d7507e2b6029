// SPDX-License-Identifier: Apache-2.0
package import VakaModel

extension SQLEventStore {
    package func complete(
        session: Session, installID: String?, sequence: Int64, project: Int64
    ) throws(StoreError) {
        let milliseconds = session.duration.map { Int(min(max(0, $0 * 1000), 1e15)) }
        try finish(sequence: sequence) { (connection) throws(StoreError) in
            try connection.run(
                """
                INSERT INTO sessions (project_id, id, started, status, duration_ms, errors, release, environment,
                    cause, window_ms, requests, sample_rate, install_id)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (project_id, id) DO UPDATE SET
                    status = CASE WHEN sessions.status IN ('ok', 'errored') THEN excluded.status ELSE sessions.status END,
                    duration_ms = greatest(coalesce(sessions.duration_ms, 0), coalesce(excluded.duration_ms, 0)),
                    errors = greatest(coalesce(sessions.errors, 0), coalesce(excluded.errors, 0)),
                    release = coalesce(excluded.release, sessions.release),
                    environment = coalesce(excluded.environment, sessions.environment),
                    cause = coalesce(excluded.cause, sessions.cause),
                    window_ms = coalesce(excluded.window_ms, sessions.window_ms),
                    requests = coalesce(excluded.requests, sessions.requests),
                    sample_rate = coalesce(excluded.sample_rate, sessions.sample_rate)
                """,
                [
                    .integer(project), .text(database.dialect.fitting(session.id)), .time(session.started),
                    .text(session.status.rawValue),
                    .optional(milliseconds), .optional(session.errors),
                    .optional(session.release.map(database.dialect.fitting)),
                    .optional(session.environment), .optional(session.cause),
                    .optional(session.window.map { Int(min(max(0, $0 * 1000), 1e15)) }),
                    .optional(Self.text(session.requests)), session.sampleRate.map { .number($0) } ?? .null,
                    .optional(installID),
                ])
            try ReleaseTable(connection: connection, project: project).saw(
                session.release.map(database.dialect.fitting), at: session.started)
        }
    }

    private static func text(_ requests: [String: Int64]?) -> String? {
        requests.flatMap { try? ModelCoding.encode($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    package func requests(project: Int64) throws(StoreError) -> [String: [String: Int64]] {
        let rows = try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT release, key, sum(CAST(value AS BIGINT)) FROM sessions, \(connection.dialect.pairs(of: "sessions.requests"))
                WHERE project_id = ? AND release IS NOT NULL AND requests IS NOT NULL GROUP BY release, key
                """, [.integer(project)]
            ) { ($0.text(0), $0.text(1), $0.integer(2)) }
        }
        return rows.reduce(into: [:]) { sums, row in sums[row.0, default: [:]][row.1] = row.2 }
    }

    package func complete(
        clientReport counts: [String: Int64], sequence: Int64, project: Int64
    ) throws(StoreError) {
        try finish(sequence: sequence) { (connection) throws(StoreError) in
            for (reason, count) in counts.sorted(by: { $0.key < $1.key }) {
                try connection.run(
                    """
                    INSERT INTO client_reports (project_id, reason, count) VALUES (?, ?, ?)
                    ON CONFLICT (project_id, reason) DO UPDATE SET count = client_reports.count + excluded.count
                    """, [.integer(project), .text(database.dialect.fitting(reason)), .integer(count)])
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
