// SPDX-License-Identifier: Apache-2.0
package import VakaModel

extension SQLEventStore {
    package func counts(
        project: Int64, issue: Int64?, unit: CountUnit, from: Timestamp, to: Timestamp
    ) throws(StoreError) -> [EventCount] {
        let ofIssue = """
            SELECT start, events FROM issue_counts
            WHERE issue_id = (SELECT id FROM issues WHERE id = ?1 AND project_id = ?5) AND unit = ?2
                AND start >= ?3 AND start < ?4 ORDER BY start
            """
        let ofProject = """
            SELECT start, sum(events) FROM project_counts
            WHERE project_id = ?1 AND unit = ?2 AND start >= ?3 AND start < ?4 GROUP BY start ORDER BY start
            """
        var values: [SQLValue] = [
            .integer(issue ?? project), .text(unit.rawValue), .integer(IssueCounter.start(of: from, unit)), .time(to),
        ]
        if issue != nil { values.append(.integer(project)) }
        return try read { (connection) throws(StoreError) in
            try connection.query(issue == nil ? ofProject : ofIssue, values) {
                EventCount(start: $0.time(0), events: $0.int(1))
            }
        }
    }

    package func releaseDays(project: Int64, issue: Int64, limit: Int) throws(StoreError) -> [ReleaseDay] {
        let day = CountUnit.day.milliseconds
        return try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT release, timestamp / \(day) * \(day), count(*) FROM (
                    SELECT release, timestamp FROM events WHERE issue_id = ? AND project_id = ? ORDER BY id DESC LIMIT ?) e
                GROUP BY 1, 2 ORDER BY 2 DESC, 1
                """, [.integer(issue), .integer(project), .integer(Int64(limit))]
            ) { ReleaseDay(release: $0.optionalText(0), day: $0.time(1), events: $0.int(2)) }
        }
    }

    package func values(
        project: Int64, issue: Int64, kind: IssueValue.Kind, limit: Int
    ) throws(StoreError) -> [IssueValue] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT v.value, v.events, v.first_seen, v.last_seen FROM issue_values v
                JOIN issues i ON i.id = v.issue_id WHERE v.issue_id = ? AND i.project_id = ? AND v.kind = ?
                ORDER BY v.last_seen DESC, v.value LIMIT ?
                """, [.integer(issue), .integer(project), .text(kind.rawValue), .integer(Int64(limit))]
            ) {
                IssueValue(value: $0.text(0), events: $0.int(1), firstSeen: $0.time(2), lastSeen: $0.time(3))
            }
        }
    }

    package func health(
        project: Int64, release: String?, from: Timestamp, to: Timestamp
    ) throws(StoreError) -> [ReleaseHealth] {
        let day = CountUnit.day.milliseconds
        return try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT release, started / \(day) * \(day), count(*),
                    count(CASE WHEN status = 'crashed' THEN 1 END), count(CASE WHEN status = 'abnormal' THEN 1 END),
                    count(DISTINCT install_id), count(DISTINCT CASE WHEN status = 'crashed' THEN install_id END)
                FROM sessions WHERE project_id = ?1 AND started >= ?2 AND started < ?3 AND release IS NOT NULL
                    AND (CAST(?4 AS TEXT) IS NULL OR release = ?4)
                GROUP BY 1, 2 ORDER BY 2 DESC, 1
                """, [.integer(project), .time(from), .time(to), .optional(release)]
            ) { row in
                ReleaseHealth(
                    release: row.text(0), day: row.time(1), sessions: row.int(2), crashedSessions: row.int(3),
                    abnormalSessions: row.int(4), users: row.int(5), crashedUsers: row.int(6))
            }
        }
    }

    package func releaseIssues(
        project: Int64, since: Timestamp
    ) throws(StoreError) -> [String: ReleaseIssues] {
        try read { (connection) throws(StoreError) in
            var found: [String: ReleaseIssues] = [:]
            let new = try connection.query(
                """
                SELECT v.value, count(*) FROM issues i
                JOIN issue_values v ON v.issue_id = i.id AND v.kind = 'release' AND v.first_seen = i.first_seen
                WHERE i.project_id = ? AND i.first_seen >= ? GROUP BY 1
                """, [.integer(project), .time(since)]
            ) { ($0.text(0), $0.int(1)) }
            for (release, count) in new { found[release, default: ReleaseIssues()].new = count }
            let regressed = try connection.query(
                """
                SELECT h.text, count(DISTINCT i.id) FROM issues i
                JOIN issue_history h ON h.issue_id = i.id AND h.change = 'regressed' AND h.text IS NOT NULL
                WHERE i.project_id = ? AND i.status = 'regressed' GROUP BY 1
                """, [.integer(project)]
            ) { ($0.text(0), $0.int(1)) }
            for (release, count) in regressed { found[release, default: ReleaseIssues()].regressed = count }
            return found
        }
    }
}
