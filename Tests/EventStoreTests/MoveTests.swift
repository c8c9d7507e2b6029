// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import VakaModel

@testable import EventStore

struct MoveTests {
    private static let now = Timestamp(milliseconds: 5000)

    /// Issue 1 with events a1, a2 of the key Fa, issue 2 with b1 of Fb.
    private func fixture(_ backend: Backend) throws -> StoreFixture {
        let fixture = try StoreFixture(backend)
        for id in ["a1", "a2"] { try fixture.add(id, keys: ["Fa", "Aa"], user: "u-\(id)") }
        try fixture.add("b1", keys: ["Fb"], user: "u-b1")
        return fixture
    }

    private func events(_ fixture: StoreFixture, _ issue: Int64) throws -> [String] {
        try fixture.store.events(project: 1, issue: issue, after: nil, limit: 50).items.map(\.eventID).sorted()
    }

    private func numbers(_ fixture: StoreFixture, _ issue: Int64) throws -> [Int] {
        let found = try #require(try fixture.issue(issue))
        let counted = try fixture.store.counts(
            project: 1, issue: found.id, unit: .day, from: Timestamp(milliseconds: 0), to: Timestamp(milliseconds: 1))
        return [Int(found.id), found.events, found.users, counted.map(\.events).reduce(0, +)]
    }

    private func merge(_ fixture: StoreFixture, _ issue: Int64, into target: Int64) throws -> MoveResult {
        try fixture.store.merge(project: 1, issue: issue, into: target, by: "ann", now: Self.now)
    }

    private func split(_ fixture: StoreFixture, _ issue: Int64, _ part: IssuePart) throws -> MoveResult {
        try fixture.store.split(project: 1, issue: issue, part, by: "ann", now: Self.now)
    }

    private func undo(_ fixture: StoreFixture, _ move: Int64) throws -> MoveResult {
        try fixture.store.undo(project: 1, move: move, by: "ann", now: Self.now)
    }

    @Test(arguments: Backend.all) func `a merge moves events, keys and counts, and its undoing also what came since`(
        _ backend: Backend
    ) throws {
        let fixture = try fixture(backend)
        #expect(try merge(fixture, 1, into: 2) == .done(move: 1, issue: 2))
        #expect(try numbers(fixture, 1) == [2, 3, 3, 3], "the old address leads there")
        #expect(try fixture.add("a3", keys: ["Fa"]) == .knownIssue(2))
        #expect(try fixture.add("b2", keys: ["Fb"]) == .knownIssue(2))
        #expect(try undo(fixture, 1) == .done(move: 1, issue: 1))
        #expect(try events(fixture, 1) == ["a1", "a2", "a3"])
        #expect(try events(fixture, 2) == ["b1", "b2"])
        #expect(try numbers(fixture, 1) == [1, 3, 2, 3])
        #expect(try numbers(fixture, 2) == [2, 2, 1, 2])
        #expect(try fixture.add("a4", keys: ["Fx", "Aa"]) == .knownIssue(1))
        #expect(try undo(fixture, 1) == .refused("it was undone already"))
        let history = try fixture.store.history(project: 1, issue: 1, after: nil, limit: 9).items
        #expect(history.map(\.change) == ["undone", "merged"])
        #expect(history.map(\.by) == ["ann", "ann"])
        #expect(try fixture.store.moves(project: 1, issue: 2, limit: 9).map(\.undoneAt) == [Self.now])
    }

    @Test(arguments: Backend.all) func `merges of merges are undone one by one`(_ backend: Backend) throws {
        let fixture = try fixture(backend)
        try fixture.add("c1", keys: ["Fc"])
        _ = try merge(fixture, 1, into: 2)
        _ = try merge(fixture, 2, into: 3)
        #expect(try numbers(fixture, 1).prefix(2) == [3, 4])
        _ = try undo(fixture, 2)
        #expect(try [1, 2, 3].map { try fixture.issue($0)?.id } == [2, 2, 3])
        #expect(try events(fixture, 2) == ["a1", "a2", "b1"])
        _ = try undo(fixture, 1)
        #expect(try [1, 2, 3].map { try numbers(fixture, $0)[1] } == [2, 1, 1])
    }

    @Test(arguments: Backend.all) func `a merge of a merge is taken out of the middle`(_ backend: Backend) throws {
        let fixture = try fixture(backend)
        try fixture.add("c1", keys: ["Fc"])
        _ = try merge(fixture, 1, into: 2)
        _ = try merge(fixture, 2, into: 3)
        #expect(try undo(fixture, 1) == .done(move: 1, issue: 1))
        #expect(try [1, 2, 3].map { try fixture.issue($0)?.id } == [1, 3, 3])
        #expect(try events(fixture, 3) == ["b1", "c1"])
    }

    @Test(arguments: Backend.all) func `a key is split off with its events, and goes back`(_ backend: Backend) throws {
        let fixture = try fixture(backend)
        try fixture.add("a3", keys: ["Fother", "Aa"])
        #expect(try fixture.store.keys(project: 1, issue: 1, limit: 9).map(\.events) == [2, 1, 0])
        #expect(
            try split(fixture, 1, .keys([IssueKey(kind: "F", value: "Fother")])) == .done(move: 1, issue: 3))
        #expect(try events(fixture, 3) == ["a3"])
        #expect(try fixture.add("a4", keys: ["Fother", "Aa"]) == .knownIssue(3))
        #expect(try fixture.add("a5", keys: ["Fnew", "Aa"]) == .knownIssue(1), "its other key stays")
        #expect(try numbers(fixture, 3) == [3, 2, 0, 2])
        #expect(try undo(fixture, 1) == .done(move: 1, issue: 1))
        #expect(try events(fixture, 3) == [], "its address leads back")
        #expect(try numbers(fixture, 3)[0] == 1)
        #expect(try events(fixture, 1) == ["a1", "a2", "a3", "a4", "a5"])
        #expect(try fixture.add("a6", keys: ["Fother"]) == .knownIssue(1))
    }

    @Test(arguments: Backend.all) func `events are split off, with those keys that no other event has`(
        _ backend: Backend
    ) throws {
        let fixture = try fixture(backend)
        try fixture.add("a3", keys: ["Fother", "Aa"])
        #expect(try split(fixture, 1, .events(["a2", "a3"])) == .done(move: 1, issue: 3))
        #expect(try events(fixture, 1) == ["a1"])
        #expect(try numbers(fixture, 1) == [1, 1, 1, 1])
        #expect(try fixture.add("a4", keys: ["Fother"]) == .knownIssue(3))
        #expect(try fixture.add("a5", keys: ["Fa"]) == .knownIssue(1))
    }

    @Test(arguments: Backend.all) func `what makes no sense is refused`(_ backend: Backend) throws {
        let fixture = try fixture(backend)
        #expect(try merge(fixture, 1, into: 1) == .refused("an issue cannot go into itself"))
        #expect(try merge(fixture, 1, into: 9) == .notFound("issue 9"))
        #expect(try split(fixture, 1, .events(["b1"])) == .notFound("event b1 in this issue"))
        #expect(try split(fixture, 1, .events(["a1", "a2"])) == .refused("nothing would be left of the issue"))
        #expect(try split(fixture, 1, .keys([IssueKey(kind: "F", value: "Fb")])) == .notFound("key F:Fb in this issue"))
        #expect(
            try split(fixture, 1, .keys([IssueKey(kind: "A", value: "Aa")]))
                == .refused("no stored event has one of these keys as its first"))
        #expect(try undo(fixture, 1) == .notFound("move 1"))
        #expect(try fixture.store.merge(project: 2, issue: 1, into: 2, by: "eve", now: .now) == .notFound("issue 1"))
        #expect(try numbers(fixture, 1) == [1, 2, 2, 2])
        #expect(try fixture.store.moves(project: 1, issue: 1, limit: 9) == [])
    }

    @Test(arguments: Backend.all) func `keys that the version before made alike are found under it for 30 days`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        let day: Int64 = 86_400_000
        try fixture.add("old", keys: ["Fold", "Aa"])
        try fixture.add("old2", keys: ["Fold2", "Ab"])
        func add(_ id: String, _ keys: [String], time: Int64) throws -> StoreOutcome {
            try fixture.accept(id)
            let item = try #require(try fixture.store.claimSpoolItem())
            var event = fixture.event(.spool(sequence: item.sequence), id: id, keys: keys, time: time)
            event.groupingVersion = 2
            event.keysAsBefore = event.keys.filter { $0.kind == "A" }
            return try fixture.store.complete(event)
        }
        #expect(try add("new1", ["Fnew", "Aa"], time: 0) == .knownIssue(1))
        #expect(try add("new2", ["Fnew"], time: 40 * day) == .knownIssue(1), "the key was attached")
        #expect(try add("new3", ["Fold2"], time: 1) == .newIssue(3), "functions are not made alike")
        #expect(try add("new4", ["Fnew4", "Ab"], time: 30 * day + 1) == .newIssue(4))
    }
}
