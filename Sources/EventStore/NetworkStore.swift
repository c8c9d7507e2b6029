// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Network records of the programs, what they could tell of, and what could not be read of what they sent.
package protocol NetworkStore: Sendable {
    /// Adds the records, those that are there already left out, and removes the spool's rows, all in one transaction.
    func complete(_ exchanges: [ReadyExchange]) throws(StoreError)
    /// Records as a list has them, those that came last first.
    func exchanges(
        project: Int64, _ query: NetworkQuery, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<StoredExchange>
    /// All of the records of installations, those that came last first, whatever order the installations are in.
    func exchanges(
        ofInstallations ids: [String], project: Int64, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<StoredExchange>
    /// Those that the sessions were on, as far as these are known still.
    func installations(ofSessions sessions: [String], project: Int64) throws(StoreError) -> [String]
    /// All of one record.
    func exchange(project: Int64, id: Int64) throws(StoreError) -> StoredExchange?
    /// Of exchanges that ended since a time, those that came last first, at most `limit`.
    func measures(project: Int64, since: Timestamp, limit: Int) throws(StoreError) -> [ExchangeMeasure]

    /// Adds a session's report, or replaces an older one of it. Removes the spool's row.
    func complete(
        capabilities report: CapabilityReport, installID: String?, receivedAt: Timestamp, sequence: Int64,
        project: Int64
    ) throws(StoreError)
    /// Those that were first told last first.
    func capabilities(project: Int64, after: Cursor?, limit: Int) throws(StoreError) -> Page<StoredCapabilities>
    /// The latest of an installation's.
    func capabilities(ofInstallation id: String, project: Int64, limit: Int) throws(StoreError) -> [StoredCapabilities]
    /// What a session could tell.
    func capabilities(project: Int64, session: String) throws(StoreError) -> CapabilityReport?

    /// Removes the spool's row. The diagnostic's own id does not matter.
    func complete(diagnostic: StoredDiagnostic, sequence: Int64, project: Int64) throws(StoreError)
    /// The latest first.
    func diagnostics(project: Int64, after: Cursor?, limit: Int) throws(StoreError) -> Page<StoredDiagnostic>

    /// The latest of an installation's.
    func diagnostics(ofInstallation id: String, project: Int64, limit: Int) throws(StoreError) -> [StoredDiagnostic]

    /// Removes the records of all installations that the sessions were on.
    func removeExchanges(ofSessions sessions: [String], project: Int64) throws(StoreError)

    /// Drops the records that came first; the number of those that are gone.
    func giveUpExchanges(limit: Int) throws(StoreError) -> Int
}
