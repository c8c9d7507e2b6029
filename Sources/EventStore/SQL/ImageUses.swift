// SPDX-License-Identifier: Apache-2.0

/// Which images stored events need, inside a transaction that its caller holds.
///
/// Most events of a program need the same images: the sets are kept, with the number of events of each.
struct ImageUses {
    /// Of an artifact `a`: how many stored events of its project need it.
    static let events = """
        (SELECT coalesce(sum(s.events), 0) FROM image_set_members m JOIN image_sets s ON s.id = m.set_id
            WHERE m.build_id = a.build_id AND s.project_id = a.project_id)
        """

    let connection: SQLConnection

    func note(_ eventRow: Int64, project: Int64, _ buildIDs: [String]) throws(StoreError) {
        let images = Set(buildIDs).sorted()
        guard !images.isEmpty else { return }
        let set = try set(of: images, project)
        try connection.post(
            "INSERT INTO event_image_sets (event_row, set_id) VALUES (?, ?)", [.integer(eventRow), .integer(set)])
        try connection.post("UPDATE image_sets SET events = events + 1 WHERE id = ?", [.integer(set)])
    }

    /// Before the event goes, or needs others.
    func forget(_ eventRow: Int64) throws(StoreError) {
        let set = try connection.first(
            "DELETE FROM event_image_sets WHERE event_row = ? RETURNING set_id", [.integer(eventRow)]
        ) { $0.integer(0) }
        guard let set else { return }
        let left = try connection.first(
            "UPDATE image_sets SET events = events - 1 WHERE id = ? RETURNING events", [.integer(set)]
        ) { $0.int(0) }
        guard left == 0 else { return }
        try connection.run("DELETE FROM image_set_members WHERE set_id = ?", [.integer(set)])
        try connection.run("DELETE FROM image_sets WHERE id = ?", [.integer(set)])
    }

    private func set(of images: [String], _ project: Int64) throws(StoreError) -> Int64 {
        let identity: [SQLValue] = [.integer(project), .text(images.joined(separator: " "))]
        let known = try connection.first(
            "SELECT id FROM image_sets WHERE project_id = ?1 AND \(connection.dialect.equal("members", "?2"))", identity
        ) { $0.integer(0) }
        if let known { return known }
        let set = try connection.insert(
            "INSERT INTO image_sets (project_id, members, events) VALUES (?, ?, 0)", identity)
        for image in images {
            try connection.run(
                "INSERT INTO image_set_members (build_id, set_id) VALUES (?, ?)", [.text(image), .integer(set)])
        }
        return set
    }
}
