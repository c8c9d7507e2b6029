// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import EventStore

/// Parts of screen recordings in every kind of database.
struct RecordingStoreTests {
    private func add(
        _ fixture: StoreFixture, part: Int, event: String? = nil, install: String? = "i1", user: String? = nil,
        at time: Int64 = 5000
    ) throws {
        var recording = Recording(
            recordingID: String(repeating: "ab", count: 16), part: part, started: Timestamp(milliseconds: 1000),
            privacy: .all, quality: .low)
        recording.eventID = event
        recording.sessionID = "s\(part % 2)"
        let id = "r-\(part)"
        try fixture.accept(id, kind: "recording")
        guard let item = try fixture.store.claimSpoolItem() else { return }
        try fixture.store.complete(
            recording: NewRecording(
                recording, itemID: id, installID: install, user: user, receivedAt: Timestamp(milliseconds: time),
                document: Data("document \(part)".utf8)), sequence: item.sequence, project: 1)
    }

    private func parts(_ fixture: StoreFixture) throws -> [Int] {
        try fixture.store.recordings(project: 1, session: nil, after: nil, limit: 100).items.map(\.part)
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
            try fixture.store.recordings(project: 1, session: "s1", after: nil, limit: 9).items.map(\.part) == [1])
        #expect(try fixture.store.recordings(project: 1, user: "ann", limit: 9).map(\.part) == [2, 0])
        #expect(try fixture.store.recordings(project: 1, user: "install i2", limit: 9).map(\.part) == [2])
        let first = try fixture.store.recordings(project: 1, session: nil, after: nil, limit: 2)
        #expect(first.items.map(\.part) == [2, 1])
        #expect(
            try fixture.store.recordings(project: 1, session: nil, after: first.next, limit: 2).items.map(\.part) == [0]
        )
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

    @Test(arguments: Backend.all) func `those of an event that is not stored go, others stay`(_ backend: Backend) throws
    {
        let fixture = try StoreFixture(backend)
        try add(fixture, part: 0, event: String(repeating: "1", count: 32))
        try add(fixture, part: 1)
        _ = try fixture.store.forget(.looseParts(before: Timestamp(milliseconds: 6000)), limit: 10)
        #expect(try parts(fixture) == [1])
    }
}
