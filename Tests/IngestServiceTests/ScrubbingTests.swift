// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import EventStore
@testable import IngestService

struct ScrubbingTests {
    @Test func `planted secrets are found nowhere`() throws {
        let server = try ServerProcess()
        let text = Data(PlantedSecrets.all.utf8)
        let binary = Data([0xff, 0, 1]) + text + Data([0, 0xfe])
        let attachments = [text, binary].enumerated().map { number, data in
            "{\"kind\":\"attachment\",\"id\":\"\(Samples.eventID(1))-\(number)\",\"payload\":{\"event_id\":\"\(Samples.eventID(1))\","
                + "\"name\":\"log.txt\",\"size\":\(data.count),\"offset\":0,\"data\":\"\(data.base64EncodedString())\"}}"
        }
        let document = String(decoding: try ModelCoding.encode(PlantedSecrets.event(1)), as: UTF8.self)
        let other = "{\"kind\":\"screen\",\"id\":\"n1\",\"payload\":\(document)}"
        // Escapes hide nothing.
        let escaped =
            "{\"kind\":\"track\",\"id\":\"t1\",\"payload\":{\"a\":\"p\\u0061ssword=\\u0068unter2zq7k\",\"password\":{\"b\":[\"zq7knamed\",7]}}}"
        // What cannot be read of an event goes with it, or stays as it came.
        let damaged = document.replacing(Samples.eventID(1), with: Samples.eventID(2))
            .replacing("\"level\":\"fatal\"", with: "\"level\":7,\"threads_\":\"password=hunter2zq7k\"")
        let items =
            [try Samples.item(PlantedSecrets.event(1))] + attachments + [other, escaped]
            + ["{\"kind\":\"event\",\"id\":\"\(Samples.eventID(2))\",\"payload\":\(damaged)}"]
        #expect(try server.accepted(Samples.batch(items)).accepted == items.count)
        _ = try server.event(1)
        _ = try server.event(2)
        try server.eventually {
            try server.json("events/\(Samples.eventID(1))/attachments")["attachments"]?.array.count == 2 ? true : nil
        }
        try server.eventually { try server.client.send("GET", "/readyz").text.contains("\"items\":0") ? true : nil }

        let kept = [
            try StoredContents.rows(server.folder.path + "/data/vaka.db"), try StoredContents.files(server.folder.path),
            Data(server.process.errorsSoFar.utf8),
        ]
        for secret in PlantedSecrets.secrets {
            for place in kept { #expect(place.firstRange(of: Data(secret.utf8)) == nil, "\(secret)") }
            let word = secret.split { !$0.isLetter && !$0.isNumber }.max { $0.count < $1.count } ?? ""
            let found = try server.json("issues?query=\(word)")["issues"]?.array ?? []
            #expect(found.isEmpty, "\(word) is in the search's index")
        }
        // The texts are there, with the rules' names.
        for rule in ["secret", "authorization", "url-password", "cloud-key", "jwt", "card-number", "private-key"] {
            #expect(kept[0].firstRange(of: Data("[scrubbed: \(rule)]".utf8)) != nil, "\(rule)")
        }
        #expect(kept[0].firstRange(of: Data("no such file: ~/notes.txt".utf8)) != nil)
        let whole = try server.get("events/\(Samples.eventID(1))/attachments/1").body
        #expect(whole.count == binary.count && whole.prefix(3) == binary.prefix(3))
        let event = try server.event(1)
        #expect(event.threads[0].frames[0].function == "app.f()")
        #expect(event.tags["db_password"] == "[scrubbed: secret]")
    }

    @Test func `projects choose their rules, and see what they do`() throws {
        let server = try ServerProcess()
        func attempt(_ text: String) throws -> String {
            let body = try server.made("POST", "/projects/default/scrubbing/try", ["text": .string(text)])
            return body["text"]?.string ?? ""
        }
        #expect(try attempt("ann@example.com in /home/ann, order ORD-1234") == "ann@example.com in ~, order ORD-1234")
        let settings: JSONValue = [
            "off": ["home-folder"], "on": ["email"], "rules": [["name": "order", "pattern": "ORD-([0-9]+)"]],
            "names": ["shoe size"], "user_fields": ["email"],
        ]
        _ = try server.made("PUT", "/projects/default/scrubbing", settings)
        #expect(
            try attempt("ann@example.com in /home/ann, order ORD-1234")
                == "[scrubbed: email] in /home/ann, order ORD-[scrubbed: order]")
        var event = Samples.crash(1)
        event.tags = ["shoe_size": "42"]
        event.user = ["id": "7", "email": "x"]
        #expect(try server.accepted(try Samples.batch(event)).accepted == 1)
        let stored = try server.event(1)
        #expect(stored.tags["shoe_size"] == "[scrubbed: secret]")
        #expect(stored.user?["email"] == "[scrubbed: user-field]" && stored.user?["id"] == "7")
        for wrong: JSONValue in [
            ["rules": [["name": "a", "pattern": "a("]]], ["rules": [["name": "a b", "pattern": "a"]]], ["off": ["x"]],
            ["on": ["jwt"]], ["colour": 1], ["names": [1]], ["off": .null], ["rules": [["name": "a"]]],
        ] {
            #expect(try server.call("PUT", "/projects/default/scrubbing", wrong).status == 400, "\(wrong)")
        }
        #expect(try attempt("ORD-1") == "ORD-[scrubbed: order]")
    }

    /// Nothing is taken rather than taken with its secrets.
    @Test func `rules that cannot be read close the door`() throws {
        let server = try ServerProcess()
        let store = try SQLEventStore(path: server.folder.path + "/data/vaka.db")
        try store.set(scrubSettings: "{\"rules\":[{\"name\":\"a\",\"pattern\":\"(?newer)\"}]}", project: 1)
        store.close()
        #expect(try server.ingest(try Samples.batch(Samples.crash(1))).status == 503)
        _ = try server.made("PUT", "/projects/default/scrubbing", [:])
        #expect(try server.accepted(try Samples.batch(Samples.crash(1))).accepted == 1)
    }
}
