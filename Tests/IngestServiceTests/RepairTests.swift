// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import IngestService

/// Events with facts that cannot be read: the facts are dropped, the events kept.
struct RepairTests {
    /// An event with some of its parts replaced.
    private func payload(_ number: Int, _ changes: (inout [String: JSONValue]) -> Void) throws -> Data {
        let encoded = try ModelCoding.encode(Samples.crash(number))
        var members = try ModelCoding.decode(JSONValue.self, from: encoded).object ?? [:]
        changes(&members)
        return try ModelCoding.encode(JSONValue.object(members))
    }

    private func item(_ number: Int, _ changes: (inout [String: JSONValue]) -> Void) throws -> String {
        let payload = String(decoding: try payload(number, changes), as: UTF8.self)
        return "{\"kind\":\"event\",\"id\":\"\(Samples.eventID(number))\",\"payload\":\(payload)}"
    }

    private func frame(_ changes: [String: JSONValue] = [:]) -> JSONValue {
        let usual: [String: JSONValue] = [
            "instruction_addr": "0x1010", "trust": "context", "function": "app.f()", "symbol": "f",
            "status": "symbolicated",
        ]
        return .object(usual.merging(changes) { _, new in new })
    }

    private func crumb(_ time: String, _ message: String) -> JSONValue {
        ["timestamp": .string(time), "level": "info", "message": .string(message)]
    }

    @Test func `a bad optional fact is dropped, told, and the event kept`() throws {
        let server = try ServerProcess()
        let items = [
            try item(1) {
                $0["release"] = 17
                $0["tags"] = ["good": "yes", "bad": 5, "worse": [1]]
                $0["breadcrumbs"] = .array([
                    crumb("2026-01-01T00:00:00Z", "first"), crumb("yesterday", "lost"),
                    crumb("2026-01-01T00:00:01Z", "third"), crumb("tomorrow", "lost, too"),
                ])
                $0["user"] = "nobody"
                $0["level"] = nil
            },
            try Samples.item(Samples.crash(2)),
        ]
        let reply = try server.accepted(Samples.batch(items))
        #expect(reply.accepted == 2 && reply.rejected.isEmpty, "\(reply.rejected)")
        let event = try server.event(1)
        #expect(event.release == nil && event.user == nil)
        #expect(event.level == .fatal)
        #expect(event.tags == ["good": "yes"])
        #expect(event.breadcrumbs.map(\.message) == ["first", "third"])
        #expect(event.threads.first?.frames.first?.function == "app.f()")
        let losses = Dictionary(event.loss.map { ($0.what, $0.why) }, uniquingKeysWith: { first, _ in first })
        #expect(losses["release"]?.contains("could not be read") == true)
        #expect(losses["user"] != nil)
        #expect(losses["level"]?.contains("\"fatal\"") == true)
        #expect(losses["tags.bad"] != nil || losses["tags[*]"] != nil, "\(losses)")
        #expect(losses["breadcrumbs[*].timestamp"]?.contains("2 could not be read") == true, "\(losses)")
        #expect(losses["breadcrumbs[*].timestamp"]?.contains("breadcrumbs[1].timestamp") == true)
        #expect(losses["breadcrumbs[*]"]?.contains("the first at breadcrumbs[1]") == true)
        #expect(try !server.event(2).loss.contains { $0.why.contains("could not be read") })
        #expect(try server.client.send("GET", "/metrics").text.contains("vaka_items_repaired_total 1\n"))
    }

    @Test func `a fault in every frame costs that fact alone`() throws {
        let frames = (0..<300).map { index in
            frame(["column": .string("\(index)"), "line": index % 2 == 0 ? 7 : "seven"])
        }
        let payload = try payload(1) {
            $0["threads"] = .array([["id": 7, "crashed": true, "frames": .array(frames)]])
        }
        let repair = try EventRepair(payload)
        #expect(repair.isRepaired)
        let event = repair.event
        let kept = try #require(event.threads.first?.frames)
        #expect(kept.count == 300)
        #expect(kept.allSatisfy { $0.column == nil && $0.function == "app.f()" })
        #expect(kept.count { $0.line == 7 } == 150)
        #expect(event.loss.contains { $0.what == "threads[*].frames[*].column" && $0.why.hasPrefix("300 ") })
        #expect(event.loss.contains { $0.what == "threads[*].frames[*].line" && $0.why.hasPrefix("150 ") })
    }

    @Test func `of a member that is there twice the last counts, at the door and behind it`() throws {
        let server = try ServerProcess()
        let id = Samples.eventID(1)
        let payload =
            "{\"schema_version\":[],\"schema_version\":1,\"event_id\":\"\(Samples.eventID(2))\",\"type\":[],\"type\":\"crash\","
            + "\"\\u0065vent_id\":\"\(id)\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"platform\":\"linux\",\"level\":7,"
            + "\"level\":\"fatal\",\"release\":\"a\",\"release\":\"b\"}"
        let item = "{\"kind\":\"event\",\"id\":\"x\",\"id\":\"\(id)\",\"payload\":7,\"payload\":\(payload)}"
        #expect(try server.accepted(Samples.batch([item])).accepted == 1)
        let event = try server.event(1)
        #expect(event.eventID == id && event.release == "b" && event.level == .fatal)
        #expect(!event.loss.contains { $0.why.contains("could not be read") })
    }

    @Test func `a fact that others need takes along what holds it`() throws {
        let server = try ServerProcess()
        let frames = [frame(), frame(["instruction_addr": "nowhere"]), frame(["trust": 3]), frame()]
        let reply = try server.accepted(
            Samples.batch([
                try item(1) {
                    $0["threads"] = .array([
                        ["id": 7, "crashed": true, "frames": .array(frames), "registers": ["rip": "0x1", "rsp": "?"]],
                        ["id": "eight", "frames": .array([])],
                    ])
                    $0["memory"] = .array([["address": "0x10", "data": "no base64!"]])
                    $0["debug_images"] = "none"
                }
            ]))
        #expect(reply.accepted == 1, "\(reply.rejected)")
        let event = try server.event(1)
        #expect(event.threads.map(\.id) == [7])
        #expect(event.threads[0].frames.count == 2)
        #expect(event.threads[0].registers.keys.sorted() == ["rip"])
        #expect(event.debugImages.isEmpty)
        let places = event.loss.map(\.what)
        for place in ["threads[0].registers.rsp", "threads[1].id", "threads[1]", "debug_images", "memory[0].data"] {
            #expect(places.contains(place), "\(place): \(places)")
        }
    }

    @Test(arguments: ["event_id", "type", "timestamp", "schema_version"])
    func `what makes it this event must be right`(_ name: String) throws {
        let server = try ServerProcess()
        let reply = try server.accepted(
            Samples.batch([
                try item(1) { $0[name] = .array([]) }, try item(2) { $0[name] = nil },
                try Samples.item(Samples.crash(3)),
            ]))
        #expect(reply.accepted == 1)
        #expect(reply.rejected.map(\.code) == ["invalid_event", "invalid_event"])
        #expect(reply.rejected.allSatisfy { $0.reason.contains(name) }, "\(reply.rejected)")
    }
}
