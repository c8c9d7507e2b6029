// SPDX-License-Identifier: Apache-2.0

/// Where the databases do not speak alike. All other statements are of what both understand; SQLite is given `least` and
/// `greatest`.
enum Dialect: Sendable {
    case sqlite, postgres

    /// The names and values of a JSON object, as columns `key` and `value`.
    func pairs(of column: String) -> String {
        switch self {
        case .sqlite: "json_each(\(column))"
        case .postgres: "json_each_text(CAST(\(column) AS json))"
        }
    }

    /// After a table: the index to go by, which SQLite's planner does not always find.
    func by(_ index: String) -> String { self == .sqlite ? "INDEXED BY \(index)" : "" }

    /// The last id that an artifact was given. Ids are never used again, not even those of replaced rows.
    var imageRevision: String {
        switch self {
        case .sqlite: "SELECT seq FROM sqlite_sequence WHERE name = 'artifacts'"
        case .postgres: "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM artifacts_id_seq"
        }
    }

    /// Of texts that are too long for an index.
    func equal(_ column: String, _ place: String) -> String {
        guard self == .postgres else { return "\(column) = \(place)" }
        return "md5(\(column)) = md5(\(place)) AND \(column) = \(place)"
    }

    /// Notes project, kind, id and time of an item, unless it was accepted before. PostgreSQL has the items by days.
    var acceptance: String {
        switch self {
        case .sqlite:
            "INSERT INTO accepted_items (project_id, kind, item_id, received_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        case .postgres:
            """
            INSERT INTO accepted_items (project_id, kind, item_id, received_at, day)
            SELECT ?1, ?2, ?3, ?4, ?4 / \(PostgresDays.length) * \(PostgresDays.length) WHERE NOT EXISTS
                (SELECT 1 FROM accepted_items WHERE project_id = ?1 AND kind = ?2 AND item_id = ?3) ON CONFLICT DO NOTHING
            """
        }
    }

    /// At the end of a SELECT: nobody changes the rows until the transaction is over.
    var holdingRows: String { self == .postgres ? " FOR UPDATE" : "" }

    /// At the end of a SELECT: rows of the table are taken that no other transaction holds.
    func takingRows(of table: String) -> String {
        self == .postgres ? " FOR UPDATE OF \(table) SKIP LOCKED" : ""
    }
}
