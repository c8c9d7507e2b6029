// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import EventStore
@testable import IngestService

/// Parts of screen recordings at the service.
struct RecordingServiceTests {
    private static let name = String(repeating: "0a", count: 16)

    private func part(_ number: Int = 0, event: String? = nil, text: String = "Order now") -> Recording {
        var part = Recording(
            recordingID: Self.name, part: number, started: Samples.crash(1).timestamp, privacy: .inputs,
            quality: .medium)
        part.eventID = event
        part.sessionID = "session-1"
        part.userID = "ann zq7k"
        part.duration = 3000
        let window = RecordingDrawing(kind: .window, x: 0, y: 0, width: 400, height: 300)
        let button = RecordingDrawing(kind: .button, x: 10, y: 10, width: 100, height: 30, text: text)
        let masked = RecordingDrawing(kind: .secureTextField, x: 10, y: 50, width: 100, height: 30, marks: .masked)
        part.frames = [
            RecordingFrame(
                at: 0, width: 400, height: 300, isNewScreen: true,
                changes: [RecordingChange(index: 0, removed: 0, drawings: [window, button])]),
            RecordingFrame(
                at: 1000, width: 400, height: 300,
                changes: [RecordingChange(index: 2, removed: 0, drawings: [masked])]),
        ]
        part.taps = [RecordingTap(at: 500, x: 20, y: 20)]
        part.withheldTaps = 3
        return part
    }

    private func item(_ part: Recording) throws -> String {
        let payload = String(decoding: try ModelCoding.encode(part), as: UTF8.self)
        let id = "\(part.recordingID)-\(part.eventID ?? "")-\(part.part)"
        return "{\"kind\":\"recording\",\"id\":\"\(id)\",\"payload\":\(payload)}"
    }

    private func settled(_ server: ServerProcess) throws {
        try server.eventually { try server.client.send("GET", "/readyz").text.contains("\"items\":0") ? true : nil }
    }

    @Test func `parts are stored once, listed by event and session, and handed out as they came`() throws {
        let server = try ServerProcess()
        let id = Samples.eventID(1)
        let parts = [part(event: id), part(1), part(2)]
        // Before their event, and twice.
        for _ in 0..<2 { #expect(try server.accepted(Samples.batch(try parts.map(item))).accepted == 3) }
        _ = try server.accepted(try Samples.batch(Samples.crash(1)))
        _ = try server.event(1)
        try settled(server)
        let ofEvent = try server.json("events/\(id)/recordings")["recordings"]?.array ?? []
        #expect(ofEvent.count == 1 && ofEvent.first?["frames"] == 2 && ofEvent.first?["duration_ms"] == 3000)
        #expect(try server.json("recordings?session=session-1")["recordings"]?.array.count == 3)
        #expect(try server.json("recordings?session=other")["recordings"]?.array.isEmpty == true)
        let page = try server.json("recordings?limit=2")
        let next = try #require(page["next_cursor"]?.string)
        #expect(try server.json("recordings?limit=2&cursor=\(next)")["recordings"]?.array.count == 1)
        guard case .integer(let number) = ofEvent.first?["id"] else { throw CocoaError(.formatting) }
        let one = try server.get("recordings/\(number)")
        #expect(try ModelCoding.decode(Recording.self, from: one.body) == parts[0])
        #expect(try server.get("recordings/99").status == 404 && server.get("recordings/x").status == 404)
    }

    @Test func `hostile parts are refused one by one, each with its reason`() throws {
        let server = try ServerProcess()
        var newer = part(1)
        newer.schemaVersion = 2
        var many = part(2)
        many.frames = (0..<241).map { _ in RecordingFrame(at: 0, width: 1, height: 1, changes: []) }
        var beyond = part(3)
        beyond.frames[1].changes[0].index = 7
        var long = part(4)
        long.frames[0].changes[0].drawings = (0..<1100).map { number in
            RecordingDrawing(
                kind: .text, x: 0, y: 0, width: 1, height: 1, text: String(repeating: "x", count: 1000) + "\(number)")
        }
        let broken = #"{"kind":"recording","id":"b","payload":{"frames":7}}"#
        let items = try [newer, many, beyond, long].map(item) + [broken, try item(part())]
        let reply = try server.accepted(Samples.batch(items))
        #expect(reply.accepted == 1)
        #expect(
            reply.rejected.map(\.code) == [
                "unsupported_schema_version", "recording_too_large", "invalid_recording", "recording_too_large",
                "invalid_recording",
            ])
        #expect(reply.rejected[2].reason == "frame 1 changes elements that are not there")
    }

    @Test func `the event's page replays the last moments, whatever they say`() throws {
        let server = try ServerProcess()
        let id = Samples.eventID(1)
        let hostile = "</text><script>alert(1)</script>\u{202E}"
        _ = try server.accepted(
            Samples.batch([try item(part(event: id, text: hostile)), try Samples.item(Samples.crash(1))]))
        _ = try server.event(1)
        try settled(server)
        for path in ["/events/\(id)", "/issues/1"] {
            let page = try server.client.send("GET", path, headers: server.session()).text
            #expect(page.contains("Last moments on the screen") && page.contains("data-recording"))
            #expect(page.components(separated: "<svg class=\"screen\"") == 2)
            #expect(page.contains("class=\"masked\"") && page.contains("class=\"tap\""))
            // For those who do not see it.
            #expect(page.contains("3 elements, 1 of them masked: button"))
            #expect(page.contains("3 taps on such boxes are not told"))
            #expect(!page.contains("<script>alert") && !page.contains("\u{202E}"))
        }
    }

    @Test func `a project's recordings are listed, and each is played part by part`() throws {
        let server = try ServerProcess()
        let reader = try PageReader(server)
        #expect(try reader.page("/recordings").text.contains("No screen was recorded"))
        let hostile = "</text><script>alert(1)</script>\"'><img src=x>\u{202E}"
        var last = part(3, event: Samples.eventID(1), text: hostile)
        (last.userID, last.release, last.sessionID) = (hostile, hostile, hostile)
        var long = part(1)
        long.frames = (0..<130).map { RecordingFrame(at: $0, width: 4, height: 4, changes: []) }
        var event = Samples.crash(1)
        event.session = Session(id: hostile, started: event.timestamp, status: .crashed)
        let items = try [part(), long, last].map(item) + [Samples.item(event), Samples.item(Samples.crash(2))]
        #expect(try server.accepted(Samples.batch(items)).accepted == 5)
        _ = try server.event(2)
        try settled(server)
        let list = try reader.page("/recordings").text
        #expect(list.contains("href=\"/recordings/\(Self.name)\"") && list.contains(">134<"))
        #expect(list.contains("href=\"/events/\(Samples.eventID(1))\"") && list.contains("aria-current=\"page\""))
        #expect(try reader.page("/recordings?session=session-1&user=&release=").text.contains(">132<"))
        #expect(try reader.page("/recordings?session=other").text.contains("There is none."))
        let ofSession = "/recordings?session=" + FormCoding.encode(hostile)
        #expect(try reader.page(ofSession).text.contains(Self.name))
        // The parts, one after the other, and each to its end.
        let path = "/recordings/" + Self.name
        let first = try reader.page(path).text
        #expect(first.contains("data-recording=\"first\"") && first.components(separated: "<svg class=\"screen\"") == 2)
        #expect(first.contains("?part=1\"") && !first.contains("Part before") && first.contains("3 parts, 134 frames"))
        let second = try reader.page(path + "?part=1").text
        #expect(second.contains("60 frames of 130, from frame 1 on.") && second.contains("?part=1&amp;frame=60\""))
        #expect(second.contains("?part=0\"") && second.contains("?part=3\""))
        let end = try reader.page(path + "?part=1&frame=120").text
        #expect(end.contains("10 frames of 130, from frame 121 on.") && end.contains("Frame 130: "))
        #expect(!end.contains("More of this part") && end.contains("Beginning of this part"))
        #expect(try reader.page(path + "?part=1&frame=130").text.contains("There are no frames."))
        let third = try reader.page(path + "?part=3").text
        #expect(third.contains("/events/\(Samples.eventID(1))") && !third.contains("Next part"))
        // Ways there, from an event with last moments; none from one without.
        let page = try reader.page("/events/" + Samples.eventID(1)).text
        #expect(page.contains("href=\"\(path)\"") && page.contains("Its screen recordings"))
        #expect(try !reader.page("/events/" + Samples.eventID(2)).text.contains("/recordings/"))
        for text in [list, third, page, try reader.page(ofSession).text] {
            #expect(!text.contains("<script>alert") && !text.contains("<img") && !text.contains("\u{202E}"))
        }
        for (wrong, status) in [
            (path + "?part=2", 404), (path + "?part=x", 400), (path + "?part=-1", 400), (path + "?frame=1e9", 400),
            ("/recordings/" + String(repeating: "b", count: 32), 404), ("/recordings/%3Cb%3E", 404),
            ("/recordings?cursor=x", 400),
        ] {
            #expect(try reader.page(wrong).status == status, "\(wrong)")
        }
        let api = try server.json("recordings?recording=\(Self.name)&user=\(FormCoding.encode("ann zq7k"))")
        #expect(api["recordings"]?.array.count == 2)
    }

    @Test func `texts lose their secrets, now and by later rules`() throws {
        let server = try ServerProcess()
        let secret = "password=hunter2zq and ORD-7712"
        _ = try server.accepted(Samples.batch([try item(part(text: secret))]))
        try settled(server)
        #expect(try server.get("recordings/1").text.contains("ORD-7712"))
        #expect(try !server.get("recordings/1").text.contains("hunter2zq"))
        _ = try server.made(
            "PUT", "/projects/default/scrubbing", ["rules": [["name": "order", "pattern": "ORD-[0-9]+"]]])
        var cursor = ""
        repeat {
            let part = try server.made("POST", "/projects/default/scrubbing/apply?cursor=\(cursor)")
            cursor = part["next_cursor"]?.string ?? ""
        } while !cursor.isEmpty
        let now = try server.get("recordings/1").text
        #expect(!now.contains("ORD-7712") && now.contains("[scrubbed: order]"))
    }

    @Test func `they go with their user's data and with their event`() throws {
        let server = try ServerProcess()
        var other = part(1)
        other.userID = "bob"
        var event = Samples.crash(1)
        event.user = ["id": "bob"]
        var last = part(2, event: Samples.eventID(1))
        last.userID = nil
        // Of a session of ann's, before ann was named.
        var mine = Samples.crash(2)
        mine.user = ["id": "ann zq7k"]
        mine.session = Session(id: "session-ann", started: mine.timestamp, status: .crashed)
        var unnamed = part(3)
        (unnamed.userID, unnamed.sessionID) = (nil, mine.session?.id)
        let items =
            try [part(), other, last, unnamed].map(item) + [Samples.item(event), Samples.item(mine)]
        _ = try server.accepted(Samples.batch(items))
        _ = try server.event(1)
        _ = try server.event(2)
        try settled(server)
        let path = "/projects/default/user-data?user=ann%20zq7k"
        #expect(try server.made("GET", path)["recordings"]?.array.count == 2)
        _ = try server.made("DELETE", path)
        #expect(try server.json("recordings")["recordings"]?.array.count == 2)
        _ = try server.made("DELETE", "/projects/default/user-data?user=bob")
        #expect(try server.json("recordings")["recordings"]?.array.isEmpty == true)
    }
}

extension String {
    /// How often the text is in it.
    fileprivate func components(separated text: String) -> Int { ranges(of: text).count }
}
