// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension SQLEventStore {
    package func rateLimits(project: Int64) throws(StoreError) -> RateLimits {
        try read { (connection) throws(StoreError) in
            try connection.first(
                "SELECT project_items, key_items, issue_events FROM project_limits WHERE project_id = ?",
                [.integer(project)]
            ) { row in
                RateLimits(
                    projectItems: row.optionalInt(0), keyItems: row.optionalInt(1), issueEvents: row.optionalInt(2))
            } ?? RateLimits()
        }
    }

    package func setRateLimits(_ limits: RateLimits, project: Int64) throws(StoreError) {
        try write { (connection) throws(StoreError) in
            try connection.run(
                """
                INSERT INTO project_limits (project_id, project_items, key_items, issue_events) VALUES (?, ?, ?, ?)
                ON CONFLICT (project_id) DO UPDATE SET project_items = excluded.project_items,
                    key_items = excluded.key_items, issue_events = excluded.issue_events
                """,
                [
                    .integer(project), .optional(limits.projectItems), .optional(limits.keyItems),
                    .optional(limits.issueEvents),
                ])
        }
    }

    package func countedOnly(project: Int64) throws(StoreError) -> Int64 {
        try read { (connection) throws(StoreError) in
            try connection.first(
                "SELECT coalesce(sum(throttled), 0) FROM issues WHERE project_id = ? AND throttled > 0",
                [.integer(project)]
            ) { $0.integer(0) } ?? 0
        }
    }

    private static let firstCrash = "SELECT first_event FROM builds WHERE project_id = ? AND build = ?"

    package func firstCrash(build: String, project: Int64) throws(StoreError) -> String? {
        try read { (connection) throws(StoreError) in
            try connection.first(Self.firstCrash, [.integer(project), .text(build)]) { $0.text(0) }
        }
    }

    package func isFirstCrash(build: String, event: String, project: Int64) throws(StoreError) -> Bool {
        if let known = try firstCrash(build: build, project: project) { return known == event }
        let values: [SQLValue] = [.integer(project), .text(build)]
        return try write { (connection) throws(StoreError) in
            try connection.run(
                """
                INSERT INTO builds (project_id, build, first_event, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
                values + [.text(event), .time(connection.now)])
            return try connection.first(Self.firstCrash, values) { $0.text(0) } == event
        }
    }
}
