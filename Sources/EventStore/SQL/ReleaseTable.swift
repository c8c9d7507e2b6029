// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The releases of a project and their order, inside a transaction that its caller holds.
struct ReleaseTable {
    let connection: SQLConnection
    let project: Int64

    /// Notes that the release was seen at `time`, and counts its events.
    func saw(_ release: String?, at time: Timestamp, events: Int = 0, crashes: Int = 0) throws(StoreError) {
        guard let release else { return }
        try connection.post(
            """
            INSERT INTO releases (project_id, name, events, crashes, first_seen, last_seen) VALUES (?1, ?2, ?3, ?4, ?5, ?5)
            ON CONFLICT (project_id, name) DO UPDATE SET
                events = releases.events + excluded.events, crashes = releases.crashes + excluded.crashes,
                first_seen = least(releases.first_seen, excluded.first_seen),
                last_seen = greatest(releases.last_seen, excluded.last_seen)
            """,
            [.integer(project), .text(release), .integer(Int64(events)), .integer(Int64(crashes)), .time(time)])
    }

    /// By semantic version where both are one, else by which the service saw first; one that it never saw is to come.
    func isLater(_ release: String, than other: String) throws(StoreError) -> Bool {
        guard release != other else { return false }
        if let version = ReleaseVersion(release), let base = ReleaseVersion(other), let order = version.order(to: base)
        {
            return order > 0
        }
        guard let number = try number(release) else { return true }
        guard let base = try self.number(other) else { return false }
        return number > base
    }

    private func number(_ release: String) throws(StoreError) -> Int64? {
        try connection.first(
            "SELECT id FROM releases WHERE project_id = ? AND name = ?", [.integer(project), .text(release)]
        ) { $0.integer(0) }
    }
}
