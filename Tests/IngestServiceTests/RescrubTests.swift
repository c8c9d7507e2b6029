// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import IngestService

struct RescrubTests {
    @Test(arguments: [false, true]) func `new rules are applied to what is stored already`(byCommand: Bool) throws {
        let server = try ServerProcess()
        _ = try server.made("POST", "/projects", ["name": "other"])
        // More than one part.
        let events = (1...130).map { number in
            var event = Samples.crash(number, message: "order ORD-77\(number) failed")
            event.tags = ["order": "ORD-88\(number)"]
            return event
        }
        let data = Data("see ORD-99".utf8).base64EncodedString()
        let others = [
            "{\"kind\":\"attachment\",\"id\":\"\(Samples.eventID(1))-1\",\"payload\":{\"event_id\":\"\(Samples.eventID(1))\","
                + "\"name\":\"log.txt\",\"size\":10,\"offset\":0,\"data\":\"\(data)\"}}",
            "{\"kind\":\"track\",\"id\":\"t1\",\"payload\":{\"a\":\"ORD-66\"}}",
        ]
        #expect(try server.accepted(Samples.batch(try events.map { try Samples.item($0) } + others)).accepted == 132)
        try server.eventually { try server.client.send("GET", "/readyz").text.contains("\"items\":0") ? true : nil }
        _ = try server.made(
            "PUT", "/projects/default/scrubbing", ["rules": [["name": "order", "pattern": "ORD-[0-9]+"]]])
        #expect(try server.event(130).tags["order"] == "ORD-88130")
        if byCommand {
            let result = try ChildProcess.run(
                BuildProducts.executable("vaka"), ["admin", "data", "scrub", "--data", server.folder.path + "/data"])
            #expect(result.status == .exited(0), "\(result.errors)")
            #expect(result.output.hasSuffix(" texts changed\n") && !result.output.hasPrefix("0 "))
        } else {
            var cursor = ""
            repeat {
                let part = try server.made("POST", "/projects/default/scrubbing/apply?cursor=\(cursor)")
                cursor = part["next_cursor"]?.string ?? ""
            } while !cursor.isEmpty
        }
        for number in [1, 100, 101, 130] {
            let event = try server.event(number)
            #expect(event.tags["order"] == "[scrubbed: order]")
            #expect(event.reason?.message == "order [scrubbed: order] failed")
        }
        #expect(try server.get("events/\(Samples.eventID(1))/attachments/1").text == "see [scrubbed: order]")
        let titles =
            try server.json("issues/1/events?limit=200")["events"]?.array.compactMap { $0["title"]?.string } ?? []
        #expect(!titles.isEmpty && !titles.contains { $0.contains("ORD-") })
        #expect(try server.json("issues/1")["title"]?.string?.contains("ORD-") == false)
    }
}
