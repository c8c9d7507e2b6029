// SPDX-License-Identifier: Apache-2.0

/// Users, what they are in projects, and what was done.
package protocol UserStore: Sendable {
    /// Throws `.exists` where there is one of this name.
    func addUser(name: String, passwordHash: String, isServerAdmin: Bool) throws(StoreError) -> User
    func users() throws(StoreError) -> [User]
    func user(name: String) throws(StoreError) -> User?
    /// With the password's hash.
    func login(name: String) throws(StoreError) -> (user: User, passwordHash: String)?
    /// False where there is none. A new password, and being disabled, ends all of the user's sessions.
    func change(user id: Int64, _ change: UserChange) throws(StoreError) -> Bool
    func removeUser(id: Int64) throws(StoreError) -> Bool
    /// The number of those that were ended.
    func endSessions(ofUser id: Int64) throws(StoreError) -> Int

    func members(project: Int64) throws(StoreError) -> [Member]
    /// The projects that the user has a part in.
    func projects(ofUser id: Int64) throws(StoreError) -> [Project]
    /// Nil takes the part away.
    func setRole(_ role: Role?, user id: Int64, project: Int64) throws(StoreError)

    /// Keeps the entry; of all entries and of failed logins the newest are kept.
    func audit(_ entry: AuditEntry) throws(StoreError)
    /// Newest first. `project` nil is every one, and what belongs to none.
    func auditLog(project: Int64?, after: Cursor?, limit: Int) throws(StoreError) -> Page<AuditEntry>
}

extension AuditEntry {
    /// These may be many: they do not take the place of others.
    package static let failedLogin = "login.failed"
}
