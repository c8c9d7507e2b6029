// SPDX-License-Identifier: Apache-2.0

extension Migrations {
    /// Network records, what programs could tell of, and what could not be read. What may be large stands last.
    static let network = network(key: "INTEGER PRIMARY KEY AUTOINCREMENT", integer: "INTEGER", number: "REAL")

    /// The same for both databases, but for the names of types.
    static func network(key: String, integer: String, number: String) -> String {
        """
        CREATE TABLE network_exchanges (
            id \(key), project_id \(integer) NOT NULL, item_id TEXT NOT NULL, install_id TEXT NOT NULL,
            received_at \(integer) NOT NULL, phase TEXT NOT NULL, is_terminal \(integer) NOT NULL,
            is_measured \(integer) NOT NULL, site TEXT NOT NULL,
            route TEXT NOT NULL, timestamp \(integer) NOT NULL, url TEXT NOT NULL, method TEXT NOT NULL, request_id TEXT,
            connection_id TEXT, direction TEXT, protocol TEXT, sequence_number \(integer),
            request_body_size \(integer) NOT NULL, status_code \(integer) NOT NULL,
            response_body_size \(integer) NOT NULL, duration_ms \(number) NOT NULL, error TEXT, host TEXT, path TEXT,
            content_type TEXT, metadata_json TEXT, request_headers_json TEXT, response_headers_json TEXT,
            request_body TEXT, response_body TEXT, UNIQUE (project_id, item_id));
        CREATE INDEX network_exchanges_by_project ON network_exchanges (project_id, id);
        CREATE INDEX network_exchanges_by_time ON network_exchanges (project_id, received_at);
        CREATE INDEX network_exchanges_by_request ON network_exchanges (project_id, request_id, id);
        CREATE INDEX network_exchanges_by_install ON network_exchanges (project_id, install_id);
        CREATE INDEX network_exchanges_live ON network_exchanges (project_id, id) WHERE is_terminal = 0;
        CREATE TABLE capability_reports (
            id \(key), project_id \(integer) NOT NULL, install_id TEXT NOT NULL, session_id TEXT NOT NULL,
            at \(integer) NOT NULL, received_at \(integer) NOT NULL, release TEXT, environment TEXT,
            document TEXT NOT NULL, UNIQUE (project_id, install_id, session_id));
        CREATE INDEX capability_reports_by_session ON capability_reports (project_id, session_id);
        CREATE INDEX capability_reports_by_time ON capability_reports (project_id, received_at);
        CREATE TABLE diagnostics (
            id \(key), project_id \(integer) NOT NULL, at \(integer) NOT NULL, level TEXT NOT NULL, tag TEXT NOT NULL,
            code TEXT NOT NULL, install_id TEXT NOT NULL, message TEXT NOT NULL);
        CREATE INDEX diagnostics_by_project ON diagnostics (project_id, id);
        CREATE INDEX diagnostics_by_time ON diagnostics (project_id, at);
        """
    }
}
