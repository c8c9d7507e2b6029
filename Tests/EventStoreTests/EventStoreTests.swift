// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import EventStore

struct EventStoreTests {
    @Test(arguments: Backend.all) func `a spool item is stored once and stays until it is completed`(_ backend: Backend)
        throws
    {
        let fixture = try StoreFixture(backend)
        try fixture.accept("a", "b", "a")
        try fixture.accept("a")
        #expect(try fixture.store.spoolState().items == 2)
        let first = try #require(try fixture.store.claimSpoolItem())
        let second = try #require(try fixture.store.claimSpoolItem())
        #expect([first.entry.itemID, second.entry.itemID] == ["a", "b"])
        #expect(try fixture.store.claimSpoolItem() == nil)
        fixture.store.release(sequence: first.sequence)
        #expect(try fixture.store.claimSpoolItem()?.sequence == first.sequence)
        _ = try fixture.store.complete(fixture.event(.spool(sequence: first.sequence), id: "a", keys: ["F1"]))
        #expect(try fixture.store.spoolState().items == 1)
        try fixture.accept("a")
        #expect(try fixture.store.spoolState().items == 1, "an item that was worked on is not accepted again")
    }

    @Test(arguments: Backend.all)
    func `a reopened store holds what was accepted and releases what was held`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        try fixture.accept("a")
        _ = try fixture.store.claimSpoolItem()
        try fixture.reopen()
        let again = fixture.store
        #expect(try again.spoolState().items == 1)
        #expect(try again.claimSpoolItem()?.entry.itemID == "a")
        #expect(try again.projects() == [fixture.project])
    }

    @Test(arguments: Backend.all) func `threads that accept together lose and double nothing`(_ backend: Backend)
        async throws
    {
        let fixture = try StoreFixture(backend)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for index in 0..<25 { try? fixture.accept("\(index % 2 == 0 ? worker : 0)-\(index)") }
                }
            }
        }
        // Odd ones share the ids of worker 0.
        #expect(try fixture.store.spoolState().items == 8 * 13 + 12)
    }

    @Test(arguments: Backend.all) func `an issue is found by its first known key and takes the others`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        #expect(try fixture.add("e1", keys: ["F1", "A1"]) == .newIssue(1))
        #expect(try fixture.add("e2", keys: ["F2", "A1"]) == .knownIssue(1))
        #expect(try fixture.add("e3", keys: ["F2", "A9"]) == .knownIssue(1))
        #expect(try fixture.add("e4", keys: ["F3", "A3"]) == .newIssue(2))
        #expect(try fixture.store.issue(project: 1, id: 1)?.events == 3)
    }

    @Test(arguments: Backend.all) func `the same event id is stored once`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        try fixture.add("e1", keys: ["F1"])
        try fixture.accept("other item")
        let item = try #require(try fixture.store.claimSpoolItem())
        let outcome = try fixture.store.complete(fixture.event(.spool(sequence: item.sequence), id: "e1", keys: ["F1"]))
        #expect(outcome == .duplicate)
        #expect(try fixture.store.issue(project: 1, id: 1)?.events == 1)
    }

    @Test(arguments: Backend.all) func `a late image queues what waits for it and the issue stays`(_ backend: Backend)
        throws
    {
        let fixture = try StoreFixture(backend)
        try fixture.add("e1", keys: ["Fraw", "A1"], basis: .addresses, waiting: ["aa", "bb"])
        #expect(try fixture.store.claimMendItem() == nil)
        #expect(try fixture.upload("cc") == 0)
        #expect(try fixture.upload("aa") == 1)
        let item = try #require(try fixture.store.claimMendItem())
        #expect(item.eventID == "e1")
        #expect(item.report == Data("report".utf8))
        let outcome = try fixture.store.complete(
            fixture.event(
                .mend(eventRow: item.eventRow), id: "e1", keys: ["Fnamed", "A1"], waiting: ["bb"],
                revision: item.imageRevision, title: "named"))
        #expect(outcome == .knownIssue(1))
        #expect(try fixture.store.claimMendItem() == nil)
        #expect(try fixture.store.issue(project: 1, id: 1)?.title == "named")
        #expect(try fixture.add("e2", keys: ["Fnamed"]) == .knownIssue(1))
        #expect(try fixture.upload("bb") == 1)
    }

    @Test(arguments: Backend.all) func `events are worked on again when somebody asks`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        let store = fixture.store
        for id in ["e1", "e2"] { try fixture.add(id, keys: ["F1"], waiting: ["aa"], time: 10_000) }
        try fixture.add("e3", keys: ["F1"])
        try fixture.add("e4", keys: ["F2"], waiting: ["bb"], time: 90_000)
        #expect(try store.reprocess(.event("e2"), project: 2) == Requeued(selected: 0, queued: 0), "another project's")
        #expect(try store.reprocess(.event("e3"), project: 1) == Requeued(selected: 1, queued: 0), "no report")
        #expect(try store.claimMendItem() == nil)
        #expect(try store.reprocess(.event("e2"), project: 1) == Requeued(selected: 1, queued: 1))
        let item = try #require(try store.claimMendItem())
        #expect(item.eventID == "e2")
        store.release(eventRow: item.eventRow)
        #expect(try store.reprocess(.issue(1), project: 1) == Requeued(selected: 3, queued: 2), "one waits already")
        let since = Timestamp(milliseconds: 91_000)
        #expect(try store.reprocess(.received(since: since), project: 1) == Requeued(selected: 1, queued: 1))
        var queued: [String] = []
        while let item = try store.claimMendItem() { queued.append(item.eventID) }
        #expect(queued == ["e1", "e2", "e4"])
    }

    @Test(arguments: Backend.all) func `images that are missing are told, with who waits`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        try fixture.add("e1", keys: ["F1"], waiting: ["aa", "bb"])
        try fixture.add("e2", keys: ["F1"], waiting: ["aa"])
        let both = try fixture.store.missingImages(project: 1, limit: 9)
        #expect(both.map(\.buildID) == ["aa", "bb"] && both.map(\.latestEvent) == ["e2", "e1"])
        #expect(both.map(\.events) == [2, 1])
        try fixture.upload("aa")
        #expect(try fixture.store.missingImages(project: 1, limit: 9).map(\.buildID) == ["bb"])
        #expect(try fixture.store.missingImages(project: 2, limit: 9).isEmpty)
        // The events beside each other.
        let first = try #require(try fixture.store.event(project: 1, id: "e1")).summary
        #expect(try fixture.store.neighbours(of: first, project: 1) == EventNeighbours(older: nil, newer: "e2"))
    }

    @Test(arguments: Backend.all) func `an image that comes while the event is worked on is not missed`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        try fixture.accept("e1")
        let item = try #require(try fixture.store.claimSpoolItem())
        try fixture.upload("aa")
        _ = try fixture.store.complete(
            fixture.event(
                .spool(sequence: item.sequence), id: "e1", keys: ["F1"], waiting: ["aa"], revision: item.imageRevision))
        let mend = try #require(try fixture.store.claimMendItem())
        // Looked at again with the image in place, and nothing better found: the queue must come to rest.
        _ = try fixture.store.complete(
            fixture.event(
                .mend(eventRow: mend.eventRow), id: "e1", keys: ["F1"], waiting: ["aa"], revision: mend.imageRevision))
        #expect(try fixture.store.claimMendItem() == nil)
    }

    @Test(arguments: Backend.all) func `a provisional issue folds into the one that was known`(_ backend: Backend)
        throws
    {
        let fixture = try StoreFixture(backend)
        try fixture.add("e1", keys: ["Fraw", "A1"], basis: .addresses, waiting: ["aa"])
        try fixture.add("e2", keys: ["Fraw", "A1"], basis: .addresses)
        try fixture.add("e3", keys: ["Fnamed", "A2"])
        try fixture.upload("aa")
        let item = try #require(try fixture.store.claimMendItem())
        let outcome = try fixture.store.complete(
            fixture.event(.mend(eventRow: item.eventRow), id: "e1", keys: ["Fnamed", "A1"]))
        #expect(outcome == .folded(from: 1, into: 2))
        #expect(try fixture.store.issue(project: 1, id: 1)?.id == 2, "the old address leads to the issue")
        #expect(try fixture.store.issue(project: 1, id: 2)?.events == 3)
        #expect(try fixture.store.issues(project: 1, IssueQuery(), after: nil, limit: 10).items.map(\.id) == [2])
        #expect(try fixture.add("e4", keys: ["Fraw"]) == .knownIssue(2))
    }

    @Test(arguments: Backend.all) func `an event that was in a wrong group moves alone`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        try fixture.add("e1", keys: ["Fsystem"], waiting: ["aa"])
        try fixture.add("e2", keys: ["Fsystem"])
        try fixture.add("e3", keys: ["Fnamed"])
        try fixture.upload("aa")
        let item = try #require(try fixture.store.claimMendItem())
        let outcome = try fixture.store.complete(
            fixture.event(.mend(eventRow: item.eventRow), id: "e1", keys: ["Fnamed"]))
        #expect(outcome == .knownIssue(2))
        #expect(try fixture.store.issue(project: 1, id: 1)?.events == 1)
        #expect(try fixture.store.issue(project: 1, id: 2)?.events == 2)
    }

    @Test(arguments: Backend.all) func `lists are paged without gaps or repeats`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        for index in 0..<7 { try fixture.add("e\(index)", keys: ["F\(index)"]) }
        for index in 7..<12 { try fixture.add("e\(index)", keys: ["F0"]) }
        var seen: [Int64] = []
        var cursor: Cursor?
        repeat {
            let page = try fixture.store.issues(project: 1, IssueQuery(), after: cursor, limit: 3)
            seen += page.items.map(\.id)
            cursor = page.next.flatMap { Cursor(text: $0.text) }
        } while cursor != nil
        #expect(seen.sorted() == Array(1...7))
        let events = try fixture.store.events(project: 1, issue: 1, after: nil, limit: 4)
        let rest = try fixture.store.events(project: 1, issue: 1, after: events.next, limit: 4)
        #expect((events.items + rest.items).map(\.eventID) == ["e11", "e10", "e9", "e8", "e7", "e0"])
        #expect(rest.next == nil)
        #expect(try fixture.store.issues(project: 2, IssueQuery(), after: nil, limit: 3).items.isEmpty)
        #expect(try fixture.store.event(project: 2, id: "e1") == nil)
    }

    @Test(arguments: Backend.all) func `an ended session stays ended`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        for status in [SessionStatus.ok, .crashed, .ok] {
            try fixture.accept("s", kind: "session")
            let item = try #require(try fixture.store.claimSpoolItem())
            let session = Session(
                id: "s", started: Timestamp(milliseconds: 1), status: status, duration: 2, release: "1.0")
            try fixture.store.complete(session: session, installID: nil, sequence: item.sequence, project: 1)
        }
        let release = try #require(try fixture.store.releases(project: 1, limit: 5).first)
        #expect(release.sessions == 1)
        #expect(release.crashedSessions == 1)
    }

    @Test(arguments: Backend.all) func `a hang's end is kept whenever it comes`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        let time = Timestamp(milliseconds: 7000)
        #expect(try fixture.store.hangEnd(project: 1, event: "e1") == nil)
        for (outcome, duration) in [(HangOutcome.ended, nil), (.recovered, 12.345), (.ended, nil)] {
            try fixture.accept("\(outcome)-\(duration ?? 0)", kind: "hang_end")
            guard let item = try fixture.store.claimSpoolItem() else { continue }
            let end = HangEnd(eventID: "e1", outcome: outcome, duration: duration, timestamp: time)
            try fixture.store.complete(hangEnd: end, sequence: item.sequence, project: 1)
        }
        #expect(
            try fixture.store.hangEnd(project: 1, event: "e1")
                == HangEnd(eventID: "e1", outcome: .recovered, duration: 12.345, timestamp: time))
        #expect(try fixture.store.hangEnd(project: 2, event: "e1") == nil)
    }

    @Test(arguments: Backend.all) func `reports expire and the event says so`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        try fixture.add("e1", keys: ["F1"], waiting: ["aa"])
        #expect(try fixture.store.forget(.reports(before: Timestamp(milliseconds: 2000)), limit: 9) == 0)
        #expect(try fixture.store.forget(.reports(before: Timestamp(milliseconds: 86_402_001)), limit: 9) == 1)
        #expect(try fixture.store.event(project: 1, id: "e1")?.summary.memory == .expired)
        #expect(try fixture.upload("aa") == 0)
    }

    @Test(arguments: Backend.all) func `a login link works once`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        let now = Timestamp.now
        let later = Timestamp(milliseconds: now.milliseconds + 60_000)
        try fixture.store.addLoginLink(hash: [1], credential: 1, expires: later)
        #expect(try fixture.store.consumeLoginLink(hash: [2], now: now) == nil)
        #expect(try fixture.store.consumeLoginLink(hash: [1], now: now)?.project == fixture.project)
        #expect(try fixture.store.consumeLoginLink(hash: [1], now: now) == nil)
        try fixture.store.addLoginLink(hash: [3], credential: 1, expires: later)
        #expect(
            try fixture.store.consumeLoginLink(hash: [3], now: Timestamp(milliseconds: later.milliseconds + 1)) == nil)
    }

    @Test func `a database of a newer version is refused`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/vaka.db"
        let connection = try SQLConnection(path: path, readOnly: false)
        try connection.execute(
            "CREATE TABLE schema_version (version INTEGER NOT NULL); INSERT INTO schema_version VALUES (999)")
        connection.close()
        #expect { try SQLEventStore(path: path) } throws: { ($0 as? StoreError)?.code == .newerSchema }
    }

    @Test func `a file that is no database is refused`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/vaka.db"
        try Data(repeating: 65, count: 8192).write(to: URL(filePath: path))
        #expect { try SQLEventStore(path: path) } throws: { ($0 as? StoreError)?.code == .damaged }
    }

    @Test(arguments: Backend.all) func `remnants of several problems part when they are named`(_ backend: Backend)
        throws
    {
        let fixture = try StoreFixture(backend)
        for index in 1...3 { try fixture.add("e\(index)", keys: ["Fabort"], basis: .remnants, waiting: ["aa"]) }
        try fixture.upload("aa")
        var outcomes: [StoreOutcome] = []
        for keys in [["Fone"], ["Ftwo"], ["Fone"]] {
            let item = try #require(try fixture.store.claimMendItem())
            outcomes.append(
                try fixture.store.complete(fixture.event(.mend(eventRow: item.eventRow), id: item.eventID, keys: keys)))
        }
        #expect(outcomes == [.split(from: 1, into: 2), .split(from: 1, into: 3), .folded(from: 1, into: 2)])
        #expect(try fixture.store.issue(project: 1, id: 2)?.events == 2)
        #expect(try fixture.store.issue(project: 1, id: 3)?.events == 1)
        #expect(try fixture.store.issue(project: 1, id: 1)?.id == 2)
    }

    @Test(arguments: Backend.all) func `a lone remnant keeps its issue when it is named`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        try fixture.add("e1", keys: ["Fabort"], basis: .remnants, waiting: ["aa"])
        try fixture.upload("aa")
        let item = try #require(try fixture.store.claimMendItem())
        let outcome = try fixture.store.complete(
            fixture.event(.mend(eventRow: item.eventRow), id: "e1", keys: ["Fone"]))
        #expect(outcome == .knownIssue(1))
        #expect(try fixture.store.issue(project: 1, id: 1)?.provisional == false)
    }
}
