// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Projects, keys and tokens, and people's sessions on the page.
package protocol AccessStore: Sendable {
    func projects() throws(StoreError) -> [Project]
    func project(slug: String) throws(StoreError) -> Project?
    /// Throws `.exists` where there is one of this name.
    func createProject(slug: String, credentials: [Credential]) throws(StoreError) -> Project

    /// Credentials that begin with `prefix` and were not revoked; the caller compares the hashes in constant time.
    func credentials(kind: Credential.Kind, prefix: String) throws(StoreError) -> [OwnedCredential]
    /// All of a project's, the revoked too.
    func credentials(project: Int64, kind: Credential.Kind) throws(StoreError) -> [OwnedCredential]
    func addCredential(_ credential: Credential, project: Int64) throws(StoreError) -> OwnedCredential
    /// Ends it, and the sessions that were opened with it. False where the project has none such.
    func revokeCredential(id: Int64, project: Int64, kind: Credential.Kind, now: Timestamp) throws(StoreError) -> Bool

    func addLoginLink(hash: [UInt8], credential: Int64, expires: Timestamp) throws(StoreError)
    /// The link's credential, once: the link is gone afterwards.
    func consumeLoginLink(hash: [UInt8], now: Timestamp) throws(StoreError) -> OwnedCredential?
    func addWebSession(
        hash: [UInt8], owner: SessionOwner, project: Int64, expires: Timestamp
    ) throws(StoreError)
    /// Nil where it has ended, or its owner may nothing any more.
    func webSession(hash: [UInt8], now: Timestamp) throws(StoreError) -> WebSession?
    /// Makes the pages show another project.
    func setProject(ofWebSession hash: [UInt8], to project: Int64) throws(StoreError)
    func removeWebSession(hash: [UInt8]) throws(StoreError)
}
