// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Projects, keys, tokens, and people's sessions on the page.
package protocol AccessStore: Sendable {
    func projects() throws(StoreError) -> [Project]
    func createProject(slug: String, credentials: [Credential]) throws(StoreError) -> Project
    /// Credentials that begin with `prefix`; the caller compares the hashes in constant time.
    func credentials(kind: Credential.Kind, prefix: String) throws(StoreError) -> [OwnedCredential]

    func addLoginLink(hash: [UInt8], project: Int64, expires: Timestamp) throws(StoreError)
    /// The link's project, once: the link is gone afterwards.
    func consumeLoginLink(hash: [UInt8], now: Timestamp) throws(StoreError) -> Project?
    func addWebSession(hash: [UInt8], project: Int64, expires: Timestamp) throws(StoreError)
    func webSession(hash: [UInt8], now: Timestamp) throws(StoreError) -> Project?
    func removeWebSession(hash: [UInt8]) throws(StoreError)
}
