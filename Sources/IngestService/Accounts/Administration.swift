// SPDX-License-Identifier: Apache-2.0
import EventStore
import Glibc
import VakaModel

/// What who may read the data folder may do without a token: the way back in where every token and password is lost.
/// The server may run meanwhile.
package struct Administration {
    private let store: any EventStore
    private let actor: String

    /// Opens the store of a data folder that a server has made; the one in PostgreSQL where it remembers that.
    package init(dataFolder: String) throws {
        try Secrets.prepare()
        if let rows = RowsElsewhere(DataFolder.Layout(dataFolder)) {
            do throws(StoreError) {
                self.init(try SQLEventStore(postgres: rows.store))
            } catch {
                throw ServiceError("\(error): name it with --store, or give its password in PGPASSWORD")
            }
            return
        }
        let path = dataFolder + "/vaka.db"
        guard access(path, R_OK | W_OK) == 0 else { throw ServiceError.system("cannot open \(path)") }
        self.init(try SQLEventStore(path: path))
    }

    /// Opens the store in PostgreSQL that servers use.
    package init(store address: String) throws {
        try Secrets.prepare()
        self.init(try SQLEventStore(postgres: address))
    }

    private init(_ store: any EventStore) {
        self.store = store
        actor = "vaka admin (uid \(getuid()))"
    }

    package func close() { store.close() }

    package func addProject(_ name: String) throws -> String {
        guard let slug = AccountNames.project(name) else {
            throw ServiceError("a project's name has lowercase letters, digits and - (at most 63), not \"\(name)\"")
        }
        let key = Secrets.makeKey()
        let project = try store.createProject(slug: slug, credentials: [Secrets.credential(.ingest, key)])
        try audit("project add", slug, project)
        return "project     \(slug)\ningest key  \(key)\n"
    }

    package func projects() throws -> String {
        try store.projects().map { $0.slug + "\n" }.joined()
    }

    /// `password` nil is one that the server chooses.
    package func addUser(_ name: String, password: String?, isServerAdmin: Bool) throws -> String {
        guard let known = AccountNames.user(name) else {
            throw ServiceError("a user's name has letters, digits and . _ @ + - (at most 100), not \"\(name)\"")
        }
        let given = try password.map(check) ?? Secrets.random()
        _ = try store.addUser(
            name: known, passwordHash: try Passwords.hash(given), isServerAdmin: isServerAdmin)
        try audit("user add", known, nil)
        return "user      \(known)\n" + (password == nil ? "password  \(given)\n" : "")
    }

    package func users() throws -> String {
        try store.users().map { user in
            let marks = [user.isServerAdmin ? "server admin" : nil, user.isDisabled ? "disabled" : nil].compactMap {
                $0
            }
            return user.name + (marks.isEmpty ? "" : "  (\(marks.joined(separator: ", ")))") + "\n"
        }.joined()
    }

    /// Ends the user's sessions, too.
    package func setPassword(_ name: String, password: String?) throws -> String {
        let user = try user(name)
        let given = try password.map(check) ?? Secrets.random()
        _ = try store.change(user: user.id, UserChange(passwordHash: try Passwords.hash(given)))
        try audit("user password", user.name, nil)
        return password == nil ? "password  \(given)\n" : ""
    }

    package func setUser(_ name: String, isServerAdmin: Bool? = nil, isDisabled: Bool? = nil) throws {
        let user = try user(name)
        _ = try store.change(user: user.id, UserChange(isServerAdmin: isServerAdmin, isDisabled: isDisabled))
        let what = [
            isServerAdmin.map { $0 ? "server admin" : "no server admin" },
            isDisabled.map { $0 ? "disabled" : "enabled" },
        ]
        try audit("user change", user.name + ": " + what.compactMap { $0 }.joined(separator: ", "), nil)
    }

    package func removeUser(_ name: String) throws {
        let user = try user(name)
        _ = try store.removeUser(id: user.id)
        try audit("user remove", user.name, nil)
    }

    package func endSessions(_ name: String) throws -> String {
        let user = try user(name)
        let ended = try store.endSessions(ofUser: user.id)
        try audit("user log-out", user.name, nil)
        return "\(ended) sessions ended\n"
    }

    package func members(project slug: String) throws -> String {
        try store.members(project: project(slug).id).map { "\($0.user)  \($0.role.rawValue)\n" }.joined()
    }

    /// `role` nil takes the part away.
    package func setRole(_ role: String?, user name: String, project slug: String) throws {
        let (user, project) = (try user(name), try project(slug))
        let known = try role.map { word throws in
            guard let role = Role(rawValue: word) else {
                throw ServiceError("a role is admin, member or read-only, not \"\(word)\"")
            }
            return role
        }
        try store.setRole(known, user: user.id, project: project.id)
        try audit("member set", "\(user.name) \(known?.rawValue ?? "none")", project)
    }

    package func addToken(project slug: String, name: String?, scopes: [String], days: Int?) throws -> String {
        let known = scopes.compactMap { Permission(rawValue: $0) }
        guard !known.isEmpty, known.count == scopes.count else {
            throw ServiceError("scopes are \(Permission.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return try add(Secrets.makeToken(), .admin, "token", slug, name, known, days)
    }

    package func addKey(project slug: String, name: String?, days: Int?) throws -> String {
        try add(Secrets.makeKey(), .ingest, "key", slug, name, [], days)
    }

    private func add(
        _ secret: String, _ kind: Credential.Kind, _ word: String, _ slug: String, _ name: String?,
        _ scopes: [Permission], _ days: Int?
    ) throws -> String {
        let project = try project(slug)
        let expires = days.map { Timestamp(milliseconds: store.now.milliseconds + Int64($0) * 86_400_000) }
        let added = try store.addCredential(
            Secrets.credential(kind, secret, name: name, scopes: scopes, expires: expires), project: project.id)
        try audit("\(word) add", Caller.name(of: added), project)
        return "\(added.id)  \(secret)\n"
    }

    package func tokens(project slug: String) throws -> String { try list(.admin, slug) }
    package func keys(project slug: String) throws -> String { try list(.ingest, slug) }

    private func list(_ kind: Credential.Kind, _ slug: String) throws -> String {
        try store.credentials(project: project(slug).id, kind: kind).map { owned in
            let parts = [
                "\(owned.id)", owned.credential.prefix + "…", owned.credential.scopes, owned.credential.name ?? "",
                owned.revokedAt.map { "revoked \($0)" } ?? owned.credential.expires.map { "until \($0)" } ?? "",
            ]
            return parts.filter { !$0.isEmpty }.joined(separator: "  ") + "\n"
        }.joined()
    }

    package func revokeToken(_ id: Int64, project slug: String) throws { try revoke(.admin, "token", id, slug) }
    package func revokeKey(_ id: Int64, project slug: String) throws { try revoke(.ingest, "key", id, slug) }

    private func revoke(_ kind: Credential.Kind, _ word: String, _ id: Int64, _ slug: String) throws {
        let project = try project(slug)
        guard try store.revokeCredential(id: id, project: project.id, kind: kind, now: store.now) else {
            throw ServiceError("the project \"\(slug)\" has no \(word) \(id) that is in force")
        }
        try audit("\(word) revoke", "\(id)", project)
    }

    /// Applies the project's scrub rules to what is stored already. What is sealed stays.
    package func scrub(project slug: String) throws -> String {
        let project = try project(slug)
        let rescrub = Rescrub(
            store: store, scrubber: try Scrubbing(store: store).scrubber(project), project: project.id)
        var (looked, changed, cursor) = (0, 0, Cursor?.none)
        repeat {
            let part = try rescrub.run(after: cursor)
            (looked, changed, cursor) = (looked + part.looked, changed + part.changed, part.next)
        } while cursor != nil
        try audit("data scrub", "\(changed) of \(looked)", project)
        return "\(changed) of \(looked) texts changed\n"
    }

    /// Of one event, one issue, or of so many days; a server that runs begins within seconds.
    package func reprocess(event: String?, issue: String?, days: String?, project slug: String) throws -> String {
        let project = try project(slug)
        let selection: EventSelection
        do {
            selection = try ReprocessHandlers.selection(event: event, issue: issue, days: days, now: store.now)
        } catch {
            throw ServiceError(error.message)
        }
        let found = try store.reprocess(selection, project: project.id)
        try audit("reprocess", "\(found.queued) of \(found.selected) events", project)
        let rest = found.selected - found.queued
        return "\(found.queued) of \(found.selected) events wait to be worked on again"
            + (rest > 0
                ? "; of the others the reports are gone, for every frame was resolved or their days were over" : "")
            + "\n"
    }

    /// Has a server, which alone knows its limits, remove what is too old or too much at once, and waits for it.
    ///
    /// - Parameter seconds: in which one has to begin.
    package func keepLimits(within seconds: Double = 15) throws -> String {
        let number = try store.askForHousekeeping()
        try audit("retention", "\(number)", nil)
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            let state = try store.housekeeping()
            if state.done >= number {
                return "removed \(state.events) events and \(state.records) other records\n"
            }
            guard state.begun >= number || .now < deadline else {
                throw ServiceError(
                    "no server has begun within \(Int(seconds)) s: one that starts does it first of all")
            }
            usleep(200_000)
        }
    }

    /// Of a user of the programs, as events name them.
    package func removeData(ofUser user: String, project slug: String) throws -> String {
        let project = try project(slug)
        let removed = try UserDataHandlers.remove(user, project: project, from: store)
        try audit("data remove", "\(removed) events of \(UserDataHandlers.mark(user))", project)
        return "\(removed) events removed\n"
    }

    /// Documents, one a line, the newest first: events, then network records.
    package func exportData(ofUser user: String, project slug: String, write: (String) -> Void) throws {
        let project = try project(slug)
        var cursor: Cursor?
        var count = 0
        repeat {
            let page = try store.events(
                ofUser: user, project: project.id, after: cursor, limit: UserDataHandlers.step)
            for event in page.items {
                write(String(decoding: try event.currentDocument(store, project: project.id), as: UTF8.self) + "\n")
            }
            count += page.items.count
            cursor = page.next
        } while cursor != nil
        let records = try exportNetwork(ofUser: user, project, write)
        try audit(
            "data export", "\(count) events and \(records) network records of \(UserDataHandlers.mark(user))", project)
    }

    private func exportNetwork(
        ofUser user: String, _ project: Project, _ write: (String) -> Void
    ) throws -> Int {
        let network = UserNetwork(store: store, project: project.id, user: user)
        let installations = try network.installations(of: network.sessions())
        var count = 0
        var next: Cursor? = UserNetwork.begin
        while let cursor = next {
            let page = try network.page(of: installations, after: cursor, limit: UserDataHandlers.step)
            for record in page.records {
                let document = try ModelCoding.encode(NetworkDocument.detail(record))
                write(String(decoding: document, as: UTF8.self) + "\n")
            }
            (count, next) = (count + page.records.count, page.next)
        }
        return count
    }

    package func auditLog(limit: Int) throws -> String {
        try store.auditLog(project: nil, after: nil, limit: limit).items.map { entry in
            [entry.at.description, entry.address ?? "here", entry.actor, entry.action, entry.target ?? ""]
                .joined(separator: "  ") + "\n"
        }.joined()
    }

    private func user(_ name: String) throws -> User {
        guard let known = AccountNames.user(name), let user = try store.user(name: known) else {
            throw ServiceError("there is no user \"\(name)\"")
        }
        return user
    }

    private func project(_ slug: String) throws -> Project {
        guard let project = try store.project(slug: slug) else { throw ServiceError("there is no project \"\(slug)\"") }
        return project
    }

    private func check(_ password: String) throws -> String {
        guard Passwords.lengths.contains(password.unicodeScalars.count) else {
            throw ServiceError(
                "a password has \(Passwords.lengths.lowerBound) to \(Passwords.lengths.upperBound) characters")
        }
        return password
    }

    private func audit(_ action: String, _ target: String, _ project: Project?) throws {
        try store.audit(AuditEntry(at: store.now, actor: actor, action: action, target: target, project: project?.id))
    }
}
