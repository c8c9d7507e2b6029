// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import EventStore

struct MigrationTests {
    private struct Cut: Error {}

    /// A store with something in nearly every table.
    private func source() throws -> StoreFixture {
        let fixture = try StoreFixture()
        let store = fixture.store
        try fixture.add(
            "e1", keys: ["F1", "A1"], basis: .addresses, waiting: ["aa"], release: "1.0", environment: "prod",
            user: "ann", texts: [SearchText(.message, "Größe\0 ist falsch"), SearchText(.tag, "host db-7")])
        try fixture.add(
            "e2", keys: ["F2"], release: "1.1", user: "bob", texts: [SearchText(.function, "app.parse(x:)")])
        try fixture.add("e3", keys: ["F3"], release: "1.1", texts: [SearchText(.function, "app.parse(y:)")])
        // The lower issue goes into the higher one.
        _ = try store.merge(project: 1, issue: 2, into: 3, by: "ann", now: Timestamp(milliseconds: 7000))
        try fixture.change(.resolve(.inRelease("1.1")), .assign("ann"), .comment("a comment"))
        let user = try store.addUser(name: "ann", passwordHash: "hash", isServerAdmin: true)
        try store.setRole(.admin, user: user.id, project: 1)
        try store.addWebSession(hash: [9], owner: .user(user.id), project: 1, expires: Timestamp(milliseconds: .max))
        try store.audit(AuditEntry(at: .now, actor: "ann", action: "test"))
        try store.setRateLimits(RateLimits(projectItems: 5), project: 1)
        try store.set(scrubSettings: "{}", project: 1)
        _ = try store.addAlertTarget(
            AlertTarget(
                project: 1, channel: .webhook, address: "https://a.example", kinds: [.newIssue], secret: "s",
                createdAt: .now))
        try fixture.upload("bb")
        try fixture.upload("cc")
        try addRecordings(fixture)
        for number in 0..<30 { try fixture.accept("waiting\(number)") }
        return fixture
    }

    /// More than are copied at a time.
    private func addRecordings(_ fixture: StoreFixture) throws {
        for part in 0..<25 {
            var recording = Recording(
                recordingID: String(repeating: "ab", count: 16), part: part,
                started: Timestamp(milliseconds: Int64(part) * 60_000), privacy: .none, quality: .high)
            recording.sessionID = "s1"
            recording.release = "1.1"
            recording.eventID = part == 24 ? String(repeating: "0", count: 32) : nil
            try fixture.accept("r\(part)", kind: "recording")
            let item = try #require(try fixture.store.claimSpoolItem())
            try fixture.store.complete(
                recording: NewRecording(
                    recording, itemID: "r\(part)", installID: "i1", user: "ann",
                    receivedAt: Timestamp(milliseconds: 9000 + Int64(part)), document: Data("document \(part)\0".utf8)),
                sequence: item.sequence, project: 1)
        }
    }

    /// Rows and documents, as they are found by every way.
    private func recordings(_ store: SQLEventStore) throws -> [String] {
        let all = try store.recordings(project: 1, RecordingQuery(), after: nil, limit: 99).items
        return try all.map { one in
            "\(one) \(String(describing: try store.recording(project: 1, id: one.id)?.map { $0 }))"
        } + [
            "\(try store.recordings(project: 1, event: String(repeating: "0", count: 32)))",
            "\(try store.recordings(project: 1, user: "ann", limit: 99).map(\.part))",
            "\(try store.recordings(project: 1, user: "install i1", limit: 99).map(\.part))",
            "\(try store.recordingSummaries(project: 1, RecordingQuery(session: "s1"), after: nil, limit: 9).items)",
        ]
    }

    private func migrate(
        _ fixture: StoreFixture, _ database: PostgresTestDatabase, _ progress: StoreMigration.Progress = { _, _, _ in }
    ) throws {
        try StoreMigration.run(from: fixture.folder.path + "/vaka.db", to: database.address, progress: progress)
    }

    /// What a store tells of itself.
    private func told(_ store: SQLEventStore) throws -> [String] {
        var found: [String] = []
        for text in ["", "parse", "\"app parse\"", "größe", "ist fal", "host:db", "nothing", "user:ann", "title"] {
            var query = IssueQuery(sort: .lastSeen)
            query.add(text)
            found.append("\(text): \(try store.issues(project: 1, query, after: nil, limit: 9).items)")
        }
        for id in ["e1", "e2", "e3"] { found.append("\(String(describing: try store.event(project: 1, id: id)))") }
        found.append("\(String(describing: try store.issue(project: 1, id: 2)?.id))")
        found.append("\(try store.history(project: 1, issue: 1, after: nil, limit: 9))")
        found.append("\(try store.moves(project: 1, issue: 3, limit: 9))")
        found.append("\(try store.releases(project: 1, limit: 9))")
        found.append("\(try store.members(project: 1)) \(try store.users()) \(try store.rateLimits(project: 1))")
        found.append("\(try store.alertTargets(project: 1))")
        found.append("\(try store.artifacts(project: 1, ArtifactFilter(), after: nil, limit: 9))")
        found.append("\(try store.imageRevision()) \(try store.spoolState())")
        found.append("\(String(describing: try store.webSession(hash: [9], now: .now)))")
        return found.map { $0.replacing("\0", with: "\u{FFFD}") } + (try recordings(store))
    }

    @Test func `all that a store tells is the same afterwards, and new rows do not take the numbers of old ones`()
        throws
    {
        let fixture = try source()
        let before = try told(fixture.store)
        fixture.store.close()
        let database = try PostgresTestDatabase()
        try migrate(fixture, database)
        let store = try SQLEventStore(postgres: database.address)
        defer { store.close() }
        for (new, old) in zip(try told(store), before) { #expect(new == old) }
        #expect(try recordings(store).count == 29 && before.count > 29)
        #expect(try store.createProject(slug: "another", credentials: []).id == 2)
        #expect(try store.undo(project: 1, move: 1, by: "ann", now: .now) == .done(move: 1, issue: 2))
        let items = try store.claimSpoolItems(most: 99, bytes: 1 << 20)
        #expect(items.count == 30)
        #expect(
            try store.complete(fixture.event(.spool(sequence: items[0].sequence), id: "new", keys: ["F9"]))
                == .newIssue(4))
        try store.accept([SpoolEntry(kind: "event", itemID: "e1", payload: Data())], project: 1, from: nil)
        #expect(try store.spoolState().items == 29, "what was accepted before is known")
        #expect(throws: StoreError.self) { try migrate(fixture, database) }
    }

    @Test func `a migration that is cut off at any step goes on, and nothing starts on it meanwhile`() throws {
        let fixture = try source()
        let before = try told(fixture.store)
        fixture.store.close()
        let database = try PostgresTestDatabase()
        var cuts: Set<String> = []
        var isDone = false
        while !isDone {
            do {
                try migrate(fixture, database) { table, done, total in
                    if done < total, cuts.insert("\(table) \(done)").inserted { throw Cut() }
                }
                isDone = true
            } catch is Cut {
                #expect(throws: StoreError.self) { try SQLEventStore(postgres: database.address) }
            }
        }
        #expect(cuts.count > 25, "\(cuts.sorted())")
        let store = try SQLEventStore(postgres: database.address)
        defer { store.close() }
        for (new, old) in zip(try told(store), before) { #expect(new == old) }
    }
}
