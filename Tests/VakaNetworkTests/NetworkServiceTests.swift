// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// The same against a real service, read back over its API.
@Suite struct NetworkServiceTests {
    let run: NetworkRun
    let server: ServerProcess

    init() throws {
        run = try NetworkRun()
        server = try ServerProcess()
    }

    private func list(_ name: String, _ query: String = "") throws -> [JSONValue] {
        let answer = try server.get(name + query)
        guard answer.status == 200 else { throw ChildProcess.Failure(description: "\(name): \(answer.status)") }
        let document = try ModelCoding.decode(JSONValue.self, from: answer.body)
        guard case .array(let list)? = document[name] else { return [] }
        return list
    }

    private func integer(_ value: JSONValue?) -> Int64 {
        if case .integer(let number)? = value { number } else { -1 }
    }

    @Test func theServiceHasExactlyOneOrderedLifecycleOfEveryTransport() throws {
        try run.run(
            "every-step", "get=/echo", "upload=/echo", "download=/echo", "delegate=/echo", "async=/status/404",
            "websocket=1", "socket=1", "flush", url: server.credentials.url, key: server.credentials.ingestKey)
        let records = try server.eventually { () -> [JSONValue]? in
            let records = try list("network", "?limit=100")
            return records.filter { Self.isEnd($0) }.count == 7 ? records : nil
        }
        let stories = Dictionary(grouping: records) { $0["requestId"]?.string ?? "" }
        #expect(stories.count == 7)
        for story in stories.values {
            let ordered = story.sorted { integer($0["sequenceNumber"]) < integer($1["sequenceNumber"]) }
            let phases = ordered.map { $0["metadata"]?["phase"]?.string ?? "" }
            #expect(phases.first == "started" && phases.last == "completed")
            #expect(phases.dropFirst().dropLast().allSatisfy { $0 == "progress" })
        }
        #expect(Set(records.compactMap { $0["protocol"]?.string }) == ["http", "websocket", "socket"])
        #expect(try list("network", "?state=live").isEmpty)
        #expect(try list("network", "?state=error").count { $0["path"] == "/status/404" } >= 1)
    }

    private static func isEnd(_ record: JSONValue) -> Bool {
        NetworkPhase(rawValue: record["metadata"]?["phase"]?.string ?? "").isTerminal
    }

    @Test func theServicesCrashHasTheLastExchangesAndWhatCouldBeCaptured() throws {
        let (url, key) = (server.credentials.url, server.credentials.ingestKey)
        let program = try run.start(["get=/echo", "hold=/never", "post=/status/500", "crash"], url: url, key: key)
        #expect(try program.wait().status == .signalled(SIGSEGV))
        try run.run("flush", url: url, key: key)
        let id = try server.eventually { () -> String? in
            guard let issue = try list("issues").first else { return nil }
            return issue["last_event_id"]?.string ?? issue["event_id"]?.string ?? issue["latest_event_id"]?.string
        }
        let answer = try server.get("events/\(id)")
        let event = try ModelCoding.decode(Event.self, from: answer.body)
        #expect(event.type == .crash)
        #expect(event.network?.exchanges.map(\.phase.rawValue).sorted() == ["completed", "completed", "started"])
        #expect(event.capabilities?.first?.state == .supported && event.capabilities?.count == 12)
    }

    @Test func aCapturedErrorShowsTheLastExchangesAsACrashDoes() throws {
        let (url, key) = (server.credentials.url, server.credentials.ingestKey)
        try run.run("headers", "get-as=/echo", "hold=/never", "capture", "flush", url: url, key: key)
        let ids = try server.eventually { () -> [String]? in
            let ids = try list("issues").compactMap { $0["latest_event_id"]?.string }
            return ids.count == 2 ? ids : nil
        }
        for id in ids {
            let event = try ModelCoding.decode(Event.self, from: try server.get("events/\(id)").body)
            #expect(event.type == .error || event.type == .message)
            #expect(event.network?.exchanges.map(\.phase) == [.completed, .started])
            #expect(event.capabilities?.count == 12)
            let page = try server.client.send("GET", "/events/\(id)", headers: server.session()).text
            #expect(page.contains("<h2>Network</h2>") && page.contains("GET \(run.servers.httpURL)/echo"))
            #expect(page.contains("in flight") && !page.contains("secret"))
        }
    }
}
