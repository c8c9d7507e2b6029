// SPDX-License-Identifier: Apache-2.0

/// What is kept of one user of the programs: as events name them, or "install ID" where they name nobody.
package protocol UserDataStore: Sendable {
    /// Their events, the newest first.
    func events(ofUser user: String, project: Int64, after: Cursor?, limit: Int) throws(StoreError) -> Page<StoredEvent>
    /// Removes at most `limit` of their events with reports, memory and attachments, also where one is the first or last of
    /// its issue; with the last of them all else that names the user. Counts stay. The number of events that are gone.
    func removeData(ofUser user: String, project: Int64, limit: Int) throws(StoreError) -> Int
}
