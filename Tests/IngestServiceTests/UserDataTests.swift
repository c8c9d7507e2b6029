// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import EventStore
@testable import IngestService

struct UserDataTests {
    private func event(_ number: Int, of user: String) -> Event {
        var event = Samples.crash(number)
        event.user = ["id": .string(user)]
        return event
    }

    @Test func `one user's data is handed out, and removed, and nobody else's`() throws {
        let server = try ServerProcess()
        _ = try server.made("POST", "/projects", ["name": "other"])
        let attachment =
            "{\"kind\":\"attachment\",\"id\":\"\(Samples.eventID(1))-1\",\"payload\":{\"event_id\":\"\(Samples.eventID(1))\","
            + "\"name\":\"log.txt\",\"size\":2,\"offset\":0,\"data\":\"b2s=\"}}"
        let events = [(1, "ann zq7k"), (2, "bob"), (3, "ann zq7k")]
        let items = try events.map { try Samples.item(event($0.0, of: $0.1)) } + [attachment]
        #expect(try server.accepted(Samples.batch(items)).accepted == 4)
        for number in 1...3 { _ = try server.event(number) }
        try server.eventually { try server.client.send("GET", "/readyz").text.contains("\"items\":0") ? true : nil }
        let path = "/projects/default/user-data?user=ann%20zq7k"
        let first = try server.made("GET", path + "&limit=1")
        #expect(first["events"]?.array.map { $0["event_id"] } == [.string(Samples.eventID(3))])
        let next = try #require(first["next_cursor"]?.string)
        let second = try server.made("GET", path + "&limit=1&cursor=\(next)")
        #expect(second["events"]?.array.map { $0["event_id"] } == [.string(Samples.eventID(1))])
        #expect(second["attachments"]?.array.first?["name"] == "log.txt")
        #expect(try server.made("GET", "/projects/other/user-data?user=ann%20zq7k")["events"]?.array.isEmpty == true)
        #expect(try server.call("DELETE", path, token: server.token("write")).status == 403)

        #expect(try server.made("DELETE", path)["removed_events"] == 2)
        #expect(try server.made("DELETE", path)["removed_events"] == 0)
        #expect(try server.made("GET", path)["events"]?.array.isEmpty == true)
        #expect(try server.get("events/\(Samples.eventID(1))").status == 404)
        #expect(try server.get("events/\(Samples.eventID(1))/attachments/1").status == 404)
        #expect(try server.get("events/\(Samples.eventID(2))").status == 200)
        // The issue is there with what is left of it.
        let issue = try server.json("issues/1")
        #expect(issue["latest_event_id"] == .string(Samples.eventID(2)) && issue["users"] == 1 && issue["events"] == 3)
        #expect(try server.client.send("GET", "/issues/1", headers: server.session()).status == 200)
        let log = try server.made("GET", "/audit-log")["audit_log"]?.array ?? []
        #expect(log.contains { $0["action"] == "DELETE /user-data" })
        let connection = try SQLConnection(path: server.folder.path + "/data/vaka.db", readOnly: true)
        defer { connection.close() }
        for (table, column) in [("events", "user"), ("issue_values", "value"), ("audit_log", "target")] {
            let found = try connection.query("SELECT 1 FROM \(table) WHERE \(column) LIKE '%zq7k%'") { $0.integer(0) }
            #expect(found.isEmpty, "\(table)")
        }
    }

    @Test func `an issue of nobody else stays, with nothing in it`() throws {
        let server = try ServerProcess()
        #expect(try server.accepted(try Samples.batch(event(1, of: "ann"))).accepted == 1)
        _ = try server.event(1)
        let result = try ChildProcess.run(
            BuildProducts.executable("vaka"),
            ["admin", "data", "remove", "ann", "--data", server.folder.path + "/data"])
        #expect(result.status == .exited(0), "\(result.errors)")
        #expect(result.output == "1 events removed\n")
        #expect(try server.json("issues/1")["latest_event_id"] == .null)
        #expect(try server.client.send("GET", "/issues/1", headers: server.session()).status == 200)
        // It goes on with the next event.
        #expect(try server.accepted(try Samples.batch(event(2, of: "bob"))).accepted == 1)
        _ = try server.event(2)
        #expect(try server.json("issues/1")["latest_event_id"] == .string(Samples.eventID(2)))
    }
}
