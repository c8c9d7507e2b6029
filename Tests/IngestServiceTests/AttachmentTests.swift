// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import IngestService

/// Files that come with events.
struct AttachmentTests {
    private func item(_ attachment: EventAttachment, _ number: Int) throws -> String {
        let payload = String(decoding: try ModelCoding.encode(attachment), as: UTF8.self)
        return "{\"kind\":\"attachment\",\"id\":\"\(attachment.eventID)-\(number)\",\"payload\":\(payload)}"
    }

    @Test func `attachments are kept, listed and handed out as they came`() throws {
        let server = try ServerProcess()
        let id = Samples.eventID(1)
        let data = Data("<script>alert(1)</script>\u{0}".utf8)
        let attachments = [
            EventAttachment(
                eventID: id, name: "a\"b/<log>.html", contentType: "text/html", size: 900, offset: 874, data: data),
            EventAttachment(eventID: id, name: "gone.log", size: 0, data: nil, missing: "No such file or directory"),
        ]
        // Before their event, and twice.
        let items = try attachments.enumerated().map { try item($1, $0) }
        for _ in 0..<2 { #expect(try server.accepted(Samples.batch(items)).accepted == 2) }
        _ = try server.accepted(try Samples.batch(Samples.crash(1)))
        _ = try server.event(1)

        let listed = try server.eventually {
            let list = try server.json("events/\(id)/attachments")["attachments"]?.array ?? []
            return list.count == 2 ? list : nil
        }
        #expect(listed[0]["name"]?.string == "a\"b/<log>.html")
        #expect(listed[0]["size"] == 900)
        #expect(listed[0]["offset"] == 874)
        #expect(listed[0]["kept"] == .integer(Int64(data.count)))
        #expect(listed[1]["missing"] == "No such file or directory")

        let file = try server.get("events/\(id)/attachments/0")
        #expect(file.status == 200)
        #expect(file.body == data)
        #expect(file.headers["content-type"] == "application/octet-stream")
        #expect(file.headers["content-disposition"] == "attachment; filename=\"a_b__log_.html\"")
        #expect(file.headers["x-content-type-options"] == "nosniff")
        for path in ["events/\(id)/attachments/1", "events/\(id)/attachments/7", "events/\(id)/attachments/x"] {
            #expect(try server.get(path).status == 404)
        }

        let session = try server.session()
        let page = try server.client.send("GET", "/events/\(id)", headers: session)
        #expect(page.text.contains("/events/\(id)/attachments/0"))
        #expect(page.text.contains("gone.log: missing, No such file or directory"))
        #expect(!page.text.contains("<log>"))
        #expect(try server.client.send("GET", "/events/\(id)/attachments/0", headers: session).body == data)
        #expect(try server.client.send("GET", "/events/\(id)/attachments/0").status != 200)
    }

    @Test func `one that is too large or unreadable is refused alone`() throws {
        let server = try ServerProcess()
        let large = EventAttachment(
            eventID: Samples.eventID(1), name: "large", size: 9, data: Data(count: (8 << 20) + 1))
        let bad = "{\"kind\":\"attachment\",\"id\":\"x-0\",\"payload\":{\"name\":\"n\"}}"
        let good = EventAttachment(eventID: Samples.eventID(1), name: "good", size: 1, data: Data([1]))
        let reply = try server.accepted(Samples.batch([try item(large, 0), bad, try item(good, 1)]))
        #expect(reply.accepted == 1)
        #expect(reply.rejected.map(\.code) == ["attachment_too_large", "invalid_attachment"])
    }
}
