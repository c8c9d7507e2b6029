// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import EventStore

struct AccountTests {
    private let later = Timestamp(milliseconds: Timestamp.now.milliseconds + 60_000)

    @Test func `a token from before there were scopes may everything`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/vaka.db"
        let connection = try SQLConnection(path: path, readOnly: false)
        try connection.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
        let before = try #require(Migrations.steps.firstIndex(of: Migrations.accounts))
        for (index, step) in Migrations.steps[..<before].enumerated() {
            try connection.execute(step)
            try connection.run("INSERT INTO schema_version (version) VALUES (?)", [.integer(Int64(index + 1))])
        }
        try connection.execute(
            """
            INSERT INTO projects VALUES (1, 'default', 5);
            INSERT INTO credentials VALUES (1, 1, 'ingest', 'vk_a', x'01', 5, NULL), (2, 1, 'admin', 'va_a', x'02', 5, NULL);
            INSERT INTO web_sessions VALUES (x'03', 1, 9000000000000);
            """)
        connection.close()
        let store = try SQLEventStore(path: path)
        let token = try #require(try store.credentials(kind: .admin, prefix: "va_a").first)
        #expect(token.credential.scopes == "server" && token.credential.hash == [2] && token.isValid(at: .now))
        #expect(try store.credentials(kind: .ingest, prefix: "vk_a").first?.credential.scopes == "")
        #expect(try store.webSession(hash: [3], now: .now) == nil)
    }

    @Test(arguments: Backend.all) func `a session lasts as long as its owner's rights`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        let store = fixture.store
        let user = try store.addUser(name: "ann", passwordHash: "x", isServerAdmin: false)
        #expect { try store.addUser(name: "ann", passwordHash: "y", isServerAdmin: true) } throws: {
            ($0 as? StoreError)?.code == .exists
        }
        func role() throws -> Role?? {
            guard case .user(_, let role)? = try store.webSession(hash: [1], now: .now)?.owner else { return nil }
            return .some(role)
        }
        try store.addWebSession(hash: [1], owner: .user(user.id), project: 1, expires: later)
        #expect(try role() == .some(nil))
        try store.setRole(.member, user: user.id, project: 1)
        #expect(try role() == .some(.member))
        try store.setRole(.readOnly, user: user.id, project: 1)
        #expect(try role() == .some(.readOnly))
        #expect(try store.members(project: 1) == [Member(user: "ann", role: .readOnly)])
        #expect(try store.webSession(hash: [1], now: Timestamp(milliseconds: later.milliseconds + 1)) == nil)
        #expect(try store.removeUser(id: user.id))
        #expect(try store.webSession(hash: [1], now: .now) == nil)
        #expect(try store.members(project: 1).isEmpty)
        #expect(try !store.removeUser(id: user.id))
    }

    @Test func `failed logins do not take the place of what was done`() throws {
        let fixture = try StoreFixture()
        try fixture.store.audit(AuditEntry(at: .now, actor: "ann", action: "login", project: 1))
        // As if there were many: their rows are made at once.
        let connection = try SQLConnection(path: fixture.folder.path + "/vaka.db", readOnly: false)
        try connection.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            INSERT INTO audit_log (at, actor, action) SELECT 1, 'x', 'login.failed' FROM n
            """)
        for _ in 0..<64 { try fixture.store.audit(AuditEntry(at: .now, actor: "x", action: AuditEntry.failedLogin)) }
        let left = try connection.first("SELECT count(*) FROM audit_log WHERE action = 'login.failed'") { $0.int(0) }
        #expect((10_000...10_064).contains(left ?? 0))
        let own = try fixture.store.auditLog(project: 1, after: nil, limit: 10)
        #expect(own.items.map(\.actor) == ["ann"])
        let page = try fixture.store.auditLog(project: nil, after: nil, limit: 2)
        #expect(page.items.count == 2)
        #expect(try fixture.store.auditLog(project: nil, after: page.next, limit: 1).items[0].id < page.items[1].id)
        connection.close()
    }
}
