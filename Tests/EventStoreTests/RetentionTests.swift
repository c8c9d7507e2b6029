// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import EventStore

/// What is removed in the course of time, and what stays true afterwards.
struct RetentionTests {
    private func remove(_ fixture: StoreFixture, _ choice: EventChoice, limit: Int = 100) throws -> Int {
        let rows = try fixture.store.removableEvents(choice, after: nil, limit: limit).items.map(\.row)
        return try fixture.store.removeEvents(rows: rows)
    }

    private func stored(_ fixture: StoreFixture, issue: Int64 = 1) throws -> [String] {
        try fixture.store.events(project: 1, issue: issue, after: nil, limit: 100).items.map(\.eventID)
    }

    private func before(_ milliseconds: Int64) -> EventChoice {
        .received(before: Timestamp(milliseconds: milliseconds), project: 1)
    }

    @Test(arguments: Backend.all) func `old events go but for an issue's first and last, and every count stays`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        for number in 1...6 {
            try fixture.add("e\(number)", keys: ["F1"], release: "r", user: "u\(number)", time: Int64(number) * 1000)
        }
        try fixture.add("lone", keys: ["F2"], time: 500)
        #expect(try remove(fixture, before(4001)) == 2, "of e1, e2, e3 and the lone one")
        #expect(try stored(fixture) == ["e6", "e5", "e4", "e1"])
        #expect(try stored(fixture, issue: 2) == ["lone"])
        #expect(try remove(fixture, before(.max)) == 2)
        #expect(try stored(fixture) == ["e6", "e1"])
        let issue = try #require(try fixture.issue())
        #expect(issue.events == 6 && issue.stored == 2 && issue.users == 6)
        #expect(issue.firstSeen.milliseconds == 1000 && issue.lastSeen.milliseconds == 6000)
        let all = (Timestamp(milliseconds: 0), Timestamp(milliseconds: 9999))
        #expect(
            try fixture.store.counts(project: 1, issue: 1, unit: .day, from: all.0, to: all.1).map(\.events) == [6])
        #expect(try fixture.store.keptEvents(project: 1) == KeptEvents(stored: 3, all: 7))
        #expect(try fixture.store.keptEvents(project: 2) == KeptEvents(stored: 0, all: 0))
    }

    @Test(arguments: Backend.all) func `events are offered in steps that go on where the one before ended`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        for number in 1...9 { try fixture.add("e\(number)", keys: ["F1"], time: 1000) }
        for choice in [before(.max), .all(project: 1), .ofIssue(1)] {
            var cursor: Cursor?
            var seen: [Int64] = []
            repeat {
                let page = try fixture.store.removableEvents(choice, after: cursor, limit: 3)
                seen += page.items.map(\.row)
                cursor = page.next
            } while cursor != nil
            #expect(seen == Array(2...8), "\(choice)")
        }
        #expect(try fixture.store.removableEvents(.all(project: 2), after: nil, limit: 3).items.isEmpty)
        #expect(try fixture.store.removeEvents(rows: [1, 5, 9, 77]) == 1, "the first and the last are not removed")
    }

    @Test(arguments: Backend.all) func `what belongs to an event goes with it`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        for number in 1...3 { try fixture.add("e\(number)", keys: ["F1"], waiting: ["aa"]) }
        for event in ["e1", "e2"] {
            try fixture.accept("\(event)-attachment-1", "\(event)-end", kind: "attachment")
            let attachment = EventAttachment(eventID: event, name: "log", size: 3, data: Data("abc".utf8))
            let first = try #require(try fixture.store.claimSpoolItem())
            try fixture.store.complete(attachment: attachment, number: 1, sequence: first.sequence, project: 1)
            let second = try #require(try fixture.store.claimSpoolItem())
            let end = HangEnd(eventID: event, outcome: .ended, duration: nil, timestamp: Timestamp(milliseconds: 1))
            try fixture.store.complete(hangEnd: end, sequence: second.sequence, project: 1)
        }
        #expect(try fixture.store.removeEvents(rows: [2]) == 1)
        #expect(try fixture.store.event(project: 1, id: "e2") == nil)
        #expect(try fixture.store.attachments(project: 1, event: "e2").isEmpty)
        #expect(try fixture.store.hangEnd(project: 1, event: "e2") == nil)
        #expect(try fixture.store.attachments(project: 1, event: "e1").count == 1)
        #expect(try fixture.store.hangEnd(project: 1, event: "e1") != nil)
        #expect(try fixture.upload("aa") == 2, "the events that are left wait for it")
        let rest = try fixture.store.read { (connection) throws(StoreError) in
            try connection.first(
                """
                SELECT (SELECT count(*) FROM event_reports), (SELECT count(*) FROM event_keys),
                    (SELECT count(*) FROM waiting_images)
                """
            ) { [$0.int(0), $0.int(1), $0.int(2)] }
        }
        #expect(rest == [2, 2, 2])
    }

    @Test(arguments: Backend.all) func `an issue that moves takes the counts and times of events that are gone along`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        for number in 1...4 { try fixture.add("a\(number)", keys: ["F1"], time: Int64(number) * 1000) }
        for number in 5...8 { try fixture.add("b\(number)", keys: ["F2"], time: Int64(number) * 1000) }
        // The issue's first event by time is not the one that was stored first.
        try fixture.add("early", keys: ["F1"], time: 10)
        try fixture.add("a9", keys: ["F1"], time: 9000)
        #expect(try remove(fixture, before(.max)) == 6)
        _ = try fixture.store.merge(
            project: 1, issue: 1, into: 2, by: "ann", now: Timestamp(milliseconds: 1))
        let issue = try #require(try fixture.issue(2))
        #expect(issue.events == 10 && issue.stored == 4)
        #expect(issue.firstSeen.milliseconds == 10 && issue.lastSeen.milliseconds == 9000)
        _ = try fixture.store.split(
            project: 1, issue: 2, .events(["a9"]), by: "ann", now: Timestamp(milliseconds: 2))
        #expect(try fixture.issue(2)?.events == 9 && fixture.issue(2)?.stored == 3)
        #expect(try fixture.issue(2)?.firstSeen.milliseconds == 10, "of events that are gone")
        let made = try #require(try fixture.issue(3))
        #expect(made.events == 1 && made.stored == 1 && made.firstSeen.milliseconds == 9000)
    }

    @Test(arguments: Backend.all) func `an item is known again for its days only`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        try fixture.add("e1", keys: ["F1"])
        try fixture.accept("e1")
        #expect(try fixture.store.claimSpoolItem() == nil, "it is known")
        let tomorrow = Timestamp(milliseconds: Timestamp.now.milliseconds + 86_400_000)
        #expect(try fixture.store.forget(.acceptedItems(before: Timestamp(milliseconds: 5)), limit: 9) == 0)
        #expect(try fixture.store.forget(.acceptedItems(before: tomorrow), limit: 9) == 1)
        // As long as the event itself is stored it is still known.
        #expect(try fixture.add("e1", keys: ["F1"]) == .duplicate)
        #expect(try fixture.issue()?.events == 1)
    }

    @Test(arguments: Backend.all) func `builds and items without a table are bounded by age and number`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        for number in 1...5 {
            #expect(try fixture.store.isFirstCrash(build: "b\(number)", event: "e\(number)", project: 1))
            try fixture.accept("t\(number)", kind: "track")
            try fixture.store.keep(try #require(try fixture.store.claimSpoolItem()))
        }
        #expect(try fixture.store.forget(.buildsBeyond(most: 3, project: 1), limit: 1) == 1)
        #expect(try fixture.store.forget(.buildsBeyond(most: 3, project: 1), limit: 9) == 1)
        #expect(try fixture.store.forget(.buildsBeyond(most: 3, project: 1), limit: 9) == 0)
        #expect(try fixture.store.forget(.otherItemsBeyond(most: 1, project: 1), limit: 9) == 4)
        let tomorrow = Timestamp(milliseconds: Timestamp.now.milliseconds + 86_400_000)
        #expect(try fixture.store.forget(.builds(before: tomorrow, project: 2), limit: 9) == 0)
        #expect(try fixture.store.forget(.builds(before: tomorrow, project: 1), limit: 9) == 3)
        #expect(try fixture.store.forget(.otherItems(before: tomorrow, project: 1), limit: 9) == 1)
        #expect(
            try fixture.store.isFirstCrash(build: "b1", event: "e9", project: 1), "a build that is forgotten is new")
    }

    @Test(arguments: Backend.all) func `attachments and hang ends whose event never came go`(_ backend: Backend) throws
    {
        let fixture = try StoreFixture(backend)
        try fixture.add("e1", keys: ["F1"])
        for event in ["e1", "never"] {
            try fixture.accept("\(event)-attachment-1", kind: "attachment")
            let item = try #require(try fixture.store.claimSpoolItem())
            try fixture.store.complete(
                attachment: EventAttachment(eventID: event, name: "log", size: 3, data: Data("abc".utf8)), number: 1,
                sequence: item.sequence, project: 1)
        }
        let tomorrow = Timestamp(milliseconds: Timestamp.now.milliseconds + 86_400_000)
        #expect(try fixture.store.forget(.looseParts(before: Timestamp(milliseconds: 5)), limit: 9) == 0)
        #expect(try fixture.store.forget(.looseParts(before: tomorrow), limit: 9) == 1)
        #expect(try fixture.store.attachments(project: 1, event: "never").isEmpty)
        #expect(try fixture.store.attachments(project: 1, event: "e1").count == 1)
    }

    @Test func `what is removed is looked for by indexes`() throws {
        let fixture = try StoreFixture()
        try fixture.add("e1", keys: ["F1"])
        let plans = [
            "SELECT id FROM events e WHERE e.id = 1 AND \(EventRemover.isBetween)",
            "SELECT project_id, kind, item_id FROM accepted_items WHERE received_at < 5 ORDER BY received_at LIMIT 9",
            "SELECT id FROM other_items WHERE project_id = 1 AND received_at < 5 ORDER BY received_at LIMIT 9",
            "SELECT project_id, build FROM builds WHERE project_id = 1 AND at < 5 ORDER BY at LIMIT 9",
            "SELECT project_id, id FROM sessions WHERE project_id = 1 AND started < 5 ORDER BY started LIMIT 9",
            "SELECT build_id, event_row FROM waiting_sources WHERE event_row < 5 ORDER BY event_row LIMIT 9",
        ]
        for query in plans {
            let plan = try fixture.store.read { (connection) throws(StoreError) in
                try connection.query("EXPLAIN QUERY PLAN " + query) { $0.text(3) }
            }
            #expect(!plan.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(query): \(plan)")
        }
    }
}
