// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import EventStore

struct CountTests {
    private static let hour: Int64 = 3_600_000

    private func counts(_ fixture: StoreFixture, _ issue: Int64?, _ unit: CountUnit) throws -> [[Int64]] {
        try fixture.store.counts(
            project: 1, issue: issue, unit: unit, from: Timestamp(milliseconds: 0),
            to: Timestamp(milliseconds: 100 * Self.hour)
        ).map { [$0.start.milliseconds / Self.hour, Int64($0.events)] }
    }

    private func values(_ fixture: StoreFixture, _ kind: IssueValue.Kind, issue: Int64 = 1) throws -> [String] {
        try fixture.store.values(project: 1, issue: issue, kind: kind, limit: 10).map {
            "\($0.value) \($0.events) \($0.firstSeen.milliseconds) \($0.lastSeen.milliseconds)"
        }
    }

    @Test(arguments: Backend.all) func `events are counted by hour and day, for the issue and the project`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        for (index, hour) in [1, 1, 3, 26].enumerated() {
            try fixture.add("a\(index)", keys: ["F1"], time: Int64(hour) * Self.hour + 5)
        }
        try fixture.add("b", keys: ["F2"], time: 3 * Self.hour)
        #expect(try counts(fixture, 1, .hour) == [[1, 2], [3, 1], [26, 1]])
        #expect(try counts(fixture, 1, .day) == [[0, 3], [24, 1]])
        #expect(try counts(fixture, nil, .hour) == [[1, 2], [3, 2], [26, 1]])
        #expect(try counts(fixture, nil, .day) == [[0, 4], [24, 1]])
        #expect(
            try fixture.store.counts(
                project: 2, issue: 1, unit: .day, from: Timestamp(milliseconds: 0), to: .now) == [])
    }

    @Test(arguments: Backend.all) func `users, releases and environments are counted once each`(_ backend: Backend)
        throws
    {
        let fixture = try StoreFixture(backend)
        for (index, user) in ["u1", "u2", "u1", nil].enumerated() {
            try fixture.add(
                "e\(index)", keys: ["F1"], release: index < 3 ? "1.0" : "1.1", environment: "prod", user: user,
                time: Int64(1000 + index))
        }
        let issue = try #require(try fixture.issue())
        #expect([issue.events, issue.users, issue.releases] == [4, 2, 2])
        #expect(try values(fixture, .user) == ["u1 2 1000 1002", "u2 1 1001 1001"])
        #expect(try values(fixture, .release) == ["1.1 1 1003 1003", "1.0 3 1000 1002"])
        #expect(try values(fixture, .environment) == ["prod 4 1000 1003"])
        let releases = try fixture.store.releases(project: 1, limit: 9)
        #expect(releases.map(\.name) == ["1.1", "1.0"])
        #expect(releases.map(\.crashes) == [1, 3])
    }

    @Test(arguments: Backend.all)
    func `the latest events are told by release and day, with their groupings and reports`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        for (index, release) in ["1.0", "1.0", nil, "1.1", "1.0"].enumerated() {
            try fixture.add(
                "e\(index)", keys: ["F1"], waiting: index == 4 ? ["ab"] : [], release: release,
                time: Int64(index / 2) * 24 * Self.hour + 1)
        }
        try fixture.add("other", keys: ["F2"], release: "1.0")
        func days(_ limit: Int, project: Int64 = 1) throws -> [String] {
            try fixture.store.releaseDays(project: project, issue: 1, limit: limit).map {
                "\($0.release ?? "-") \($0.day.milliseconds / Self.hour / 24) \($0.events)"
            }
        }
        #expect(try Set(days(9)) == ["1.0 2 1", "1.1 1 1", "- 1 1", "1.0 0 2"])
        #expect(try days(9).first == "1.0 2 1" && days(9).last == "1.0 0 2")
        #expect(try Set(days(3)) == ["1.0 2 1", "1.1 1 1", "- 1 1"])
        #expect(try days(9, project: 2).isEmpty)
        let groupings = try fixture.store.groupings(project: 1, issue: 1, limit: 2)
        #expect(
            groupings.map(\.summary.eventID) == ["e4", "e3"] && groupings.allSatisfy { $0.record == Array("why".utf8) })
        #expect(try fixture.store.groupings(project: 2, issue: 1, limit: 2).isEmpty)
        #expect(try fixture.store.report(project: 1, event: "e4") == Data("report".utf8))
        #expect(try fixture.store.report(project: 1, event: "e3") == nil)
        #expect(try fixture.store.report(project: 2, event: "e4") == nil)
    }

    @Test(arguments: Backend.all) func `counts go with the events that move`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        try fixture.add("e1", keys: ["Fsystem"], waiting: ["aa"], release: "1.0", user: "u1", time: 1)
        try fixture.add("e2", keys: ["Fsystem"], release: "1.0", user: "u1", time: 2 * Self.hour)
        try fixture.add("e3", keys: ["Fnamed"], release: "1.0", user: "u1", time: 3)
        try fixture.upload("aa")
        let item = try #require(try fixture.store.claimMendItem())
        _ = try fixture.store.complete(fixture.event(.mend(eventRow: item.eventRow), id: "e1", keys: ["Fnamed"]))
        #expect(try counts(fixture, 1, .hour) == [[2, 1]])
        #expect(try counts(fixture, 2, .hour) == [[0, 2]])
        #expect(try values(fixture, .user, issue: 2) == ["u1 2 1 3"])
        #expect(try [1, 2].map { try fixture.issue($0)?.users } == [1, 1])
        #expect(try counts(fixture, nil, .day) == [[0, 3]])
    }

    @Test(arguments: Backend.all) func `counts of a folded issue go with it`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        try fixture.add("e1", keys: ["Fraw", "A1"], basis: .addresses, waiting: ["aa"], user: "u1", time: 1)
        try fixture.add("e2", keys: ["Fraw", "A1"], basis: .addresses, user: "u2", time: 2)
        try fixture.add("e3", keys: ["Fnamed", "A2"], user: "u2", time: 3)
        try fixture.change(.comment("before"), issue: 1)
        try fixture.upload("aa")
        let item = try #require(try fixture.store.claimMendItem())
        _ = try fixture.store.complete(fixture.event(.mend(eventRow: item.eventRow), id: "e1", keys: ["Fnamed", "A1"]))
        let issue = try #require(try fixture.issue(1))
        #expect([Int(issue.id), issue.events, issue.users] == [2, 3, 2])
        #expect(try counts(fixture, 2, .hour) == [[0, 3]])
        let history = try fixture.store.history(project: 1, issue: 2, after: nil, limit: 9).items
        #expect(history.map(\.change) == ["folded", "commented"])
        #expect(history.map(\.issue) == [1, 1])
    }

    @Test(arguments: Backend.all) func `sessions and users without a crash are told by release and day`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        let sessions: [(id: String, install: String?, status: SessionStatus, hour: Int64, release: String?)] = [
            ("s1", "i1", .exited, 1, "1.0"), ("s2", "i1", .crashed, 2, "1.0"), ("s3", "i2", .ok, 3, "1.0"),
            ("s4", "i2", .abnormal, 25, "1.0"), ("s5", nil, .exited, 4, "1.1"), ("s6", "i9", .exited, 5, nil),
        ]
        for session in sessions {
            try fixture.accept(session.id, kind: "session")
            let item = try #require(try fixture.store.claimSpoolItem())
            let value = Session(
                id: session.id, started: Timestamp(milliseconds: session.hour * Self.hour), status: session.status,
                release: session.release)
            try fixture.store.complete(
                session: value, installID: session.install, sequence: item.sequence, project: 1)
        }
        func rows(_ release: String?) throws -> [String] {
            try fixture.store.health(
                project: 1, release: release, from: Timestamp(milliseconds: 0),
                to: Timestamp(milliseconds: 99 * Self.hour)
            ).map { row in
                "\(row.release) \(row.day.milliseconds / Self.hour): \(row.sessions) \(row.crashedSessions) "
                    + "\(row.abnormalSessions) \(row.users) \(row.crashedUsers)"
            }
        }
        #expect(try rows(nil) == ["1.0 24: 1 0 1 1 0", "1.0 0: 3 1 0 2 1", "1.1 0: 1 0 0 0 0"])
        #expect(try rows("1.1") == ["1.1 0: 1 0 0 0 0"])
    }

    @Test func `a database from before the counts gets them`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/vaka.db"
        let connection = try SQLConnection(path: path, readOnly: false)
        try connection.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
        for (index, step) in Migrations.steps.prefix(12).enumerated() {
            try connection.execute(step + ";INSERT INTO schema_version VALUES (\(index + 1))")
        }
        try connection.execute(
            """
            INSERT INTO projects VALUES (1, 'default', 0);
            INSERT INTO issues (project_id, title, type, level, status, first_seen, last_seen, events, basis)
                VALUES (1, 't', 'crash', 'fatal', 'open', 5, 7, 2, 0);
            INSERT INTO events (project_id, event_id, issue_id, type, level, timestamp, received_at, release, title, memory,
                document, grouping) VALUES (1, 'a', 1, 'crash', 'fatal', 5, 5, '1.0', 't', 'none', x'', x''),
                (1, 'b', 1, 'crash', 'fatal', 7, 7, '1.0', 't', 'none', x'', x'');
            """)
        connection.close()
        let store = try SQLEventStore(path: path)
        defer { store.close() }
        #expect(
            try store.counts(
                project: 1, issue: 1, unit: .hour, from: Timestamp(milliseconds: 0), to: Timestamp(milliseconds: 9)
            ).map(\.events) == [2])
        #expect(try store.releases(project: 1, limit: 2).map(\.events) == [2])
        #expect(try store.values(project: 1, issue: 1, kind: .release, limit: 2).map(\.value) == ["1.0"])
    }
}
