// SPDX-License-Identifier: Apache-2.0

extension SQLEventStore {
    package func issues(
        project: Int64, _ query: IssueQuery, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<Issue> {
        let conditions = IssueConditions(query, database.dialect)
        let key = query.sort.rawValue
        let rows = try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT \(Self.issueColumns) FROM issues i WHERE i.project_id = ? AND i.merged_into IS NULL
                AND (i.\(key), i.id) < (?, ?)\(conditions.sql) ORDER BY i.\(key) DESC, i.id DESC LIMIT ?
                """,
                [.integer(project), .integer(after?.first ?? .max), .integer(after?.second ?? .max)]
                    + conditions.values + [.integer(Int64(limit) + 1)], Self.issue)
        }
        return Page(rows, limit: limit) { Cursor(query.sort.key(of: $0), $0.id) }
    }
}

extension IssueQuery.Sort {
    fileprivate func key(of issue: Issue) -> Int64 {
        switch self {
        case .lastSeen: issue.lastSeen.milliseconds
        case .firstSeen: issue.firstSeen.milliseconds
        case .events: Int64(issue.events)
        case .users: Int64(issue.users)
        }
    }
}
