// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import EventStore

/// Several processes on one database: each store here is a node of its own.
final class NodeTests {
    private let fixture: StoreFixture
    private let other: SQLEventStore

    init() throws {
        fixture = try StoreFixture(.postgres)
        other = try fixture.another()
    }

    deinit { other.close() }

    /// As if the fixture's node had said nothing for a long time.
    private func die() throws {
        try other.write { (connection) throws(StoreError) in
            try connection.run("UPDATE nodes SET alive_until = 0 WHERE id = ?", [.text(fixture.node)])
        }
    }

    @Test func `an item is one node's, until the node ends`() throws {
        try fixture.accept("a", "b", "c")
        #expect(try fixture.store.claimSpoolItems(most: 2, bytes: 1000).map(\.entry.itemID) == ["a", "b"])
        #expect(try other.claimSpoolItems(most: 9, bytes: 1000).map(\.entry.itemID) == ["c"])
        try fixture.reopen()
        #expect(try other.claimSpoolItems(most: 9, bytes: 1000).map(\.entry.itemID) == ["a", "b"])
        other.release(sequence: 3)
        #expect(try fixture.store.claimSpoolItem()?.entry.itemID == "c")
    }

    @Test func `what a dead node held is stored once, though it comes back`() throws {
        try fixture.accept("e1")
        let first = try #require(try fixture.store.claimSpoolItem())
        try die()
        let second = try #require(try other.claimSpoolItem())
        let event = fixture.event(.spool(sequence: first.sequence), id: "e1", keys: ["F1"])
        #expect(try fixture.store.complete(event) == .duplicate)
        #expect(try other.spoolState().items == 1)
        #expect(
            try other.complete(fixture.event(.spool(sequence: second.sequence), id: "e1", keys: ["F1"])) == .newIssue(1)
        )
        #expect(try fixture.store.complete(event) == .duplicate)
        #expect(try fixture.issue()?.events == 1)
        #expect(try other.spoolState().items == 0)
    }

    @Test func `an event that is symbolicated again is one node's as well`() throws {
        try fixture.add("e1", keys: ["Fraw"], basis: .addresses, waiting: ["aa"])
        try fixture.upload("aa")
        let item = try #require(try fixture.store.claimMendItem())
        #expect(try other.claimMendItem() == nil)
        try die()
        #expect(try other.claimMendItem()?.eventRow == item.eventRow)
        let mended = fixture.event(.mend(eventRow: item.eventRow), id: "e1", keys: ["Fnamed"], title: "late")
        #expect(try fixture.store.complete(mended) == .duplicate)
        #expect(try fixture.issue()?.title == "title")
        #expect(try other.complete(mended) == .knownIssue(1))
        #expect(try fixture.issue()?.title == "late")
    }

    @Test func `nodes that complete together make one issue and count right`() async throws {
        let (fixture, other) = (fixture, other)
        for number in 0..<120 { try fixture.accept("e\(number)") }
        await withTaskGroup(of: Void.self) { group in
            for store in [fixture.store, other, fixture.store, other] {
                group.addTask {
                    while let items = try? store.claimSpoolItems(most: 7, bytes: 1 << 20), !items.isEmpty {
                        _ = try? store.complete(
                            items.map {
                                fixture.event(
                                    .spool(sequence: $0.sequence), id: $0.entry.itemID, keys: ["F1"], release: "1",
                                    user: $0.entry.itemID)
                            })
                    }
                }
            }
        }
        let issues = try other.issues(project: 1, IssueQuery(), after: nil, limit: 9).items
        #expect(issues.map { [$0.events, $0.stored, $0.users] } == [[120, 120, 120]])
        #expect(try other.spoolState().items == 0)
        #expect(try other.releases(project: 1, limit: 9).map(\.events) == [120])
    }

    @Test func `no event is left waiting for an image that comes meanwhile`() async throws {
        let (fixture, other) = (fixture, other)
        for round in 0..<20 {
            try fixture.accept("e\(round)")
            let item = try #require(try fixture.store.claimSpoolItem())
            async let uploaded = other.addArtifact(
                Artifact(
                    buildID: "b\(round)", hasCode: true, hasDebugInfo: true, size: 1, name: nil, release: nil,
                    uploadedAt: Timestamp(milliseconds: 1)), project: 1)
            _ = try fixture.store.complete(
                fixture.event(
                    .spool(sequence: item.sequence), id: "e\(round)", keys: ["F1"], waiting: ["b\(round)"],
                    revision: item.imageRevision))
            _ = try await uploaded
            #expect(try fixture.store.claimMendItem()?.eventID == "e\(round)")
        }
    }

    @Test func `batches of an installation that come to several nodes are each counted once`() async throws {
        let (fixture, other) = (fixture, other)
        await withTaskGroup(of: Void.self) { group in
            for store in [fixture.store, other, fixture.store] {
                group.addTask {
                    for number in 1...40 {
                        try? store.accept([], project: 1, from: BatchOrigin(installID: "i", sequence: Int64(number)))
                    }
                }
            }
        }
        let told = try #require(try other.installations(project: 1, after: nil, limit: 9).items.first)
        #expect(told.received == [1...40])
        #expect([told.batches, told.duplicates] == [40, 80])
    }

    @Test func `an alert is taken by one node`() async throws {
        let (fixture, other) = (fixture, other)
        _ = try other.addAlertTarget(
            AlertTarget(
                project: 1, channel: .webhook, address: "https://a.example", kinds: [.spike], secret: "s",
                createdAt: .now))
        let now = fixture.store.now
        for number in 0..<30 {
            let subject = AlertSubject(kind: .spike, project: 1, onceKey: "\(number)", title: "t", at: now)
            // Both nodes find the same.
            #expect(try [fixture.store, other].map { try $0.addAlerts(subject, only: nil) } == [1, 0])
        }
        let lease = Timestamp(milliseconds: now.milliseconds + 60_000)
        let taken = await withTaskGroup(of: [Int64].self) { group in
            for store in [fixture.store, other] {
                group.addTask {
                    var taken: [Int64] = []
                    while let alert = try? store.claimAlerts(most: 1, now: now, lease: lease).first {
                        taken.append(alert.id)
                    }
                    return taken
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        // One that another looks at in the same moment is passed over; nobody is given it twice.
        #expect(Set(taken).count == taken.count)
        let left = try other.claimAlerts(most: 99, now: now, lease: lease).map(\.id)
        #expect(Set(taken + left).count == 30 && taken.count + left.count == 30)
    }

    @Test func `a node that cannot reach PostgreSQL says so, and goes on when it can`() throws {
        let server = try PostgresServer()
        let database = try PostgresTestDatabase(on: server)
        let store = try SQLEventStore(postgres: database.address)
        defer { store.close() }
        _ = try store.createProject(slug: "p", credentials: [])
        let entry = SpoolEntry(kind: "event", itemID: "a", payload: Data("{}".utf8))
        try server.stop()
        func away(_ body: () throws -> Void) -> Bool {
            do {
                try body()
                return false
            } catch {
                return (error as? StoreError)?.code == .away
            }
        }
        #expect(away { try store.accept([entry], project: 1, from: nil) })
        #expect(away { _ = try store.projects() })
        #expect(away { _ = try store.claimSpoolItems(most: 1, bytes: 1) })
        #expect(store.writeFailure?.code == .away)
        try server.start()
        try eventually { (try? store.accept([entry], project: 1, from: nil)) != nil ? true : nil }
        #expect(try store.claimSpoolItem()?.entry.itemID == "a")
        #expect(store.writeFailure == nil)
    }

    @Test func `nodes that start together on an empty database make it once`() async throws {
        other.close()
        let database = try PostgresTestDatabase()
        let stores = try await withThrowingTaskGroup(of: SQLEventStore.self) { group in
            for _ in 0..<3 { group.addTask { try SQLEventStore(postgres: database.address) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(try stores.map { try $0.projects() } == [[], [], []])
        stores.forEach { $0.close() }
        #expect(try database.server.run("SELECT count(*) FROM nodes", in: database.name) == ["0"])
    }

    @Test func `one node does what one is enough for`() throws {
        var done: [String] = []
        let isMine = try fixture.store.alone(.housekeeping) {
            let isTheirs = try other.alone(.housekeeping) { done.append("other") }
            done.append(isTheirs ? "both" : "first")
        }
        #expect(isMine && done == ["first"])
        let isTheirs = try other.alone(.housekeeping) { done.append("later") }
        #expect(isTheirs && done == ["first", "later"])
    }

    @Test func `days that are over are dropped, and events say what became of their memory`() throws {
        let day = PostgresDays.length
        let now = fixture.store.now.milliseconds
        try fixture.add("e1", keys: ["F1"], waiting: ["aa"], time: now)
        try fixture.add("e2", keys: ["F1"], waiting: ["aa"], time: 5)
        func forget(_ records: PassingRecords) throws -> Int {
            var removed = 0
            while case let gone = try fixture.store.forget(records, limit: 1), gone > 0 { removed += gone }
            return removed
        }
        #expect(try forget(.reports(before: Timestamp(milliseconds: now))) == 1)
        #expect(try forget(.acceptedItems(before: Timestamp(milliseconds: now))) == 0)
        #expect(try fixture.store.event(project: 1, id: "e1")?.summary.memory == .kept)
        #expect(try fixture.store.event(project: 1, id: "e2")?.summary.memory == .expired)
        let tomorrow = Timestamp(milliseconds: now + day)
        #expect(try forget(.reports(before: tomorrow)) == 2)
        #expect(try fixture.store.event(project: 1, id: "e1")?.summary.memory == .expired)
        #expect(try fixture.upload("aa") == 0)
        #expect(try forget(.acceptedItems(before: tomorrow)) == 2)
        let left = try fixture.store.read { (connection) throws(StoreError) in
            try connection.query("SELECT relname FROM pg_class WHERE relname LIKE '%\\_\(now / day)'") { $0.text(0) }
        }
        #expect(left == [])
    }

    @Test func `texts that PostgreSQL has no place for are kept nearly as they are`() throws {
        let long = String((0..<9000).map { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement() ?? "a" })
        try fixture.accept("e1")
        let item = try #require(try fixture.store.claimSpoolItem())
        let outcome = try fixture.store.complete(
            fixture.event(
                .spool(sequence: item.sequence), id: "e1", keys: ["F1"], title: "a\0b", release: long,
                environment: long,
                user: long, texts: [SearchText(.message, long), SearchText(.tag, "x\0y")]))
        #expect(outcome == .newIssue(1))
        #expect(try fixture.issue()?.title == "a\u{FFFD}b")
    }
}
