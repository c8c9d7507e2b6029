// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import EventStore

/// Parts of screen recordings in every kind of database.
struct RecordingStoreTests {
    private func add(
        _ fixture: StoreFixture, part: Int, recording name: String = String(repeating: "ab", count: 16),
        session: String? = nil, event: String? = nil, install: String? = "i1", user: String? = nil,
        release: String? = nil, at time: Int64 = 5000
    ) throws {
        var recording = Recording(
            recordingID: name, part: part, started: Timestamp(milliseconds: 1000 + Int64(part) * 500), privacy: .all,
            quality: .low)
        recording.duration = 200
        recording.frames = (0..<2).map { RecordingFrame(at: $0, width: 1, height: 1, changes: []) }
        recording.eventID = event
        recording.sessionID = session ?? "s\(part % 2)"
        recording.release = release
        let id = "\(name)-\(part)-\(event ?? "")"
        try fixture.accept(id, kind: "recording")
        guard let item = try fixture.store.claimSpoolItem() else { return }
        try fixture.store.complete(
            recording: NewRecording(
                recording, itemID: id, installID: install, user: user, receivedAt: Timestamp(milliseconds: time),
                document: Data("document \(part)".utf8)), sequence: item.sequence, project: 1)
    }

    private func parts(_ fixture: StoreFixture) throws -> [Int] {
        try fixture.store.recordings(project: 1, RecordingQuery(), after: nil, limit: 100).items.map(\.part)
    }

    @Test(arguments: Backend.all) func `parts are found by event, session and user`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        let event = String(repeating: "0", count: 32)
        try add(fixture, part: 0, event: event, user: "ann")
        try add(fixture, part: 1)
        try add(fixture, part: 2, install: "i2", user: "ann")
        #expect(try parts(fixture) == [2, 1, 0])
        let row = try #require(try fixture.store.recordings(project: 1, event: event).first)
        #expect(row.part == 0 && row.eventID == event && row.receivedAt.milliseconds == 5000)
        #expect(try fixture.store.recording(project: 1, id: row.id) == Data("document 0".utf8))
        #expect(try fixture.store.recording(project: 2, id: row.id) == nil)
        #expect(
            try fixture.store.recordings(project: 1, RecordingQuery(session: "s1"), after: nil, limit: 9).items.map(
                \.part) == [1])
        #expect(try fixture.store.recordings(project: 1, user: "ann", limit: 9).map(\.part) == [2, 0])
        #expect(try fixture.store.recordings(project: 1, user: "install i2", limit: 9).map(\.part) == [2])
        let first = try fixture.store.recordings(project: 1, RecordingQuery(), after: nil, limit: 2)
        #expect(first.items.map(\.part) == [2, 1])
        #expect(
            try fixture.store.recordings(project: 1, RecordingQuery(), after: first.next, limit: 2).items.map(\.part)
                == [0]
        )
    }

    @Test(arguments: Backend.all) func `recordings are listed as a whole, the latest first`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        let event = String(repeating: "0", count: 32)
        let (first, second) = (String(repeating: "a", count: 32), String(repeating: "b", count: 32))
        try add(fixture, part: 0, recording: first, user: "ann")
        try add(fixture, part: 0, recording: second, user: "bob")
        try add(fixture, part: 1, recording: first, user: "bob")
        // By itself and with its event.
        try add(fixture, part: 1, recording: first, event: event, user: "bob")
        func list(_ query: RecordingQuery = RecordingQuery(), after: Cursor? = nil, limit: Int = 10) throws
            -> Page<RecordingSummary>
        {
            try fixture.store.recordingSummaries(project: 1, query, after: after, limit: limit)
        }
        let all = try list().items
        #expect(all.map(\.recordingID) == [first, second])
        #expect(all.map(\.parts) == [2, 1] && all.map(\.frames) == [4, 2])
        #expect(all[0].eventID == event && all[1].eventID == nil && all[1].user == "bob")
        #expect(all[0].started.milliseconds == 1000 && all[0].ended.milliseconds == 1700)
        let page = try list(limit: 1)
        #expect(page.items.map(\.recordingID) == [first])
        let rest = try list(after: page.next, limit: 1)
        #expect(rest.items.map(\.recordingID) == [second] && rest.next == nil)
        // Of a user only what is that user's.
        let ofAnn = try list(RecordingQuery(user: "ann")).items
        #expect(ofAnn.map(\.recordingID) == [first] && ofAnn.map(\.parts) == [1])
        #expect(try list(RecordingQuery(session: "s1")).items.map(\.recordingID) == [first])
        #expect(try list(RecordingQuery(recording: second)).items.map(\.recordingID) == [second])
        #expect(try list(RecordingQuery(release: "none")).items.isEmpty)
        #expect(try fixture.store.recordingSummaries(project: 2, RecordingQuery(), after: nil, limit: 9).items.isEmpty)
        func parts(from part: Int, _ isBackwards: Bool = false) throws -> [Int] {
            try fixture.store.parts(project: 1, recording: first, from: part, isBackwards: isBackwards, limit: 9)
                .map(\.part)
        }
        #expect(try parts(from: 0) == [0, 1, 1] && parts(from: 1) == [1, 1] && parts(from: 1, true) == [0])
        #expect(try parts(from: 2).isEmpty && parts(from: 0, true).isEmpty)
    }

    @Test(arguments: Backend.all) func `they go with time, with number, with room and with their user`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        for part in 0..<6 { try add(fixture, part: part, user: part == 5 ? "ann" : nil, at: Int64(1000 + part)) }
        _ = try fixture.store.forget(.recordings(before: Timestamp(milliseconds: 1001), project: 1), limit: 10)
        #expect(try parts(fixture) == [5, 4, 3, 2, 1])
        _ = try fixture.store.forget(.recordingsBeyond(most: 3, project: 1), limit: 10)
        #expect(try parts(fixture) == [5, 4, 3])
        #expect(try fixture.store.giveUpRecordings(limit: 1, bytes: 1) == 1)
        #expect(try parts(fixture) == [5, 4])
        _ = try fixture.store.removeData(ofUser: "ann", project: 1, limit: 10)
        #expect(try parts(fixture) == [4])
        _ = try fixture.store.removeData(ofUser: "install i1", project: 1, limit: 10)
        #expect(try parts(fixture).isEmpty)
    }

    @Test(arguments: Backend.all) func `what a session showed before its user was known goes with that user's data`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        // Sessions s0 and s1, by the part's number.
        for (part, user) in [nil, nil, "ann", "bob", nil, "bob"].enumerated() {
            try add(fixture, part: part, install: "i\(part)", user: user)
        }
        _ = try fixture.store.removeData(ofUser: "ann", project: 1, limit: 10)
        #expect(try parts(fixture) == [5, 3, 1])
        try fixture.store.removeUnnamedRecordings(ofSessions: ["s0", "s1"], project: 2)
        #expect(try parts(fixture) == [5, 3, 1])
        try fixture.store.removeUnnamedRecordings(ofSessions: ["s1"], project: 1)
        #expect(try parts(fixture) == [5, 3])
    }

    /// Names that no index of PostgreSQL takes.
    @Test(arguments: Backend.all) func `names of any length are kept and found`(_ backend: Backend) throws {
        let fixture = try StoreFixture(backend)
        let name = (0..<5000).map { String($0 * 7919 % 997, radix: 36) }.joined()
        try add(fixture, part: 0, session: name, install: name, user: name, release: name)
        #expect(try parts(fixture) == [0])
        for query in [RecordingQuery(session: name), RecordingQuery(user: name), RecordingQuery(release: name)] {
            #expect(
                try fixture.store.recordings(project: 1, query, after: nil, limit: 9).items.map(\.part) == [0])
            #expect(try fixture.store.recordingSummaries(project: 1, query, after: nil, limit: 9).items.count == 1)
        }
        #expect(try fixture.store.recordings(project: 1, user: "install " + name, limit: 9).map(\.part) == [0])
        _ = try fixture.store.removeData(ofUser: name, project: 1, limit: 10)
        #expect(try parts(fixture).isEmpty)
    }

    @Test(arguments: Backend.all) func `those of an event that is not stored go, others stay`(_ backend: Backend) throws
    {
        let fixture = try StoreFixture(backend)
        try add(fixture, part: 0, event: String(repeating: "1", count: 32))
        try add(fixture, part: 1)
        _ = try fixture.store.forget(.looseParts(before: Timestamp(milliseconds: 6000)), limit: 10)
        #expect(try parts(fixture) == [1])
    }
}
