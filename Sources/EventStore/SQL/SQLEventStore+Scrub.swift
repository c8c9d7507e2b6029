// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension SQLEventStore {
    package func scrubSettings(project: Int64) throws(StoreError) -> String? {
        try read { (connection) throws(StoreError) in
            try connection.first("SELECT document FROM scrub_settings WHERE project_id = ?", [.integer(project)]) {
                $0.text(0)
            }
        }
    }

    package func set(scrubSettings: String, project: Int64) throws(StoreError) {
        try write { (connection) throws(StoreError) in
            try connection.run(
                """
                INSERT INTO scrub_settings (project_id, document, changed_at) VALUES (?, ?, ?)
                ON CONFLICT (project_id) DO UPDATE SET document = excluded.document, changed_at = excluded.changed_at
                """, [.integer(project), .text(scrubSettings), .time(connection.now)])
        }
    }
}
