// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Sessions of the programs, and what the programs' own reports say.
package protocol SessionStore: Sendable {
    /// Adds or updates the session; an ended one stays ended. Removes the spool's row.
    func complete(session: Session, installID: String?, sequence: Int64, project: Int64) throws(StoreError)
    /// Requests by release and outcome, over all sessions.
    func requests(project: Int64) throws(StoreError) -> [String: [String: Int64]]
    /// Adds the counts of a client's report. Removes the spool's row.
    func complete(clientReport counts: [String: Int64], sequence: Int64, project: Int64) throws(StoreError)
    func clientReports(project: Int64) throws(StoreError) -> [String: Int64]
}
