// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import IngestService

struct IssueAPITests {
    /// A server with one issue, of release app@1.0.
    private func server() throws -> ServerProcess {
        let server = try ServerProcess()
        var event = Samples.crash(1)
        event.user = ["id": "u1"]
        #expect(try server.accepted(try Samples.batch(event)).accepted == 1)
        _ = try server.event(1)
        return server
    }

    @Test func `an issue is resolved, regresses, is assigned and told of`() throws {
        let server = try server()
        let resolved = try server.change("issues/1", ["status": "resolved", "after_release": "app@1.0", "by": "ann"])
        #expect(resolved["status"]?.string == "resolved")
        #expect(resolved["resolved_after"]?.string == "app@1.0")
        #expect(resolved["status_changed_by"]?.string == "ann")
        var later = Samples.crash(2)
        later.release = "app@1.1"
        _ = try server.accepted(try Samples.batch(later))
        _ = try server.event(2)
        #expect(try server.json("issues/1")["status"]?.string == "regressed")
        _ = try server.change("issues/1", ["assignee": "bob"])
        let commented = try server.send("POST", "issues/1/comments", ["text": "why?"])
        #expect(commented.status == 201)
        let history = try server.json("issues/1/history")["history"]?.array ?? []
        #expect(history.compactMap { $0["change"]?.string } == ["commented", "assigned", "regressed", "resolved"])
        #expect(history.compactMap { $0["by"]?.string } == ["api", "api", "vaka", "ann"])
        #expect(history[2]["event_id"]?.string == Samples.eventID(2))
        let muted = try server.change("issues/1", ["status": "muted", "events": 10, "window_s": 60])
        #expect(muted["mute_events"] == 10 && muted["mute_window_s"] == 60)
        #expect(try server.change("issues/1", ["assignee": .null])["assignee"] == .null)
    }

    @Test func `a wrong change is refused by its field and changes nothing`() throws {
        let server = try server()
        for (body, field) in [
            (["status": "regressed"], "status"), (["status": 1], "status"), ([:], "status"),
            (["statuss": "open"], "statuss"),
            (["status": "open", "release": "1"], "release"), (["release": "1"], "release"),
            (["status": "muted", "events": 1], "events"), (["status": "muted", "events": 0, "window_s": 1], "events"),
            (["status": "muted", "until": "tomorrow"], "until"), (["assignee": ""], "assignee"),
            (["status": "open", "by": 5], "by"),
        ] as [(JSONValue, String)] {
            let answer = try server.send("PATCH", "issues/1", body)
            #expect(answer.status == 400 && answer.text.contains(field), "\(body): \(answer.text)")
        }
        #expect(try server.send("PATCH", "issues/99", ["status": "open"]).status == 404)
        #expect(try server.send("POST", "issues/1/comments", ["text": ""]).status == 400)
        #expect(try server.send("POST", "issues/1/comments", []).status == 400)
        #expect(try server.json("issues/1/history")["history"]?.array == [])
        for path in [
            "issues/1/counts?unit=year", "issues/1/counts?from=x", "health?cursor=x",
            "issues/1/affected?by=x",
        ] {
            #expect(try server.get(path).status == 400, "\(path)")
        }
    }

    @Test(
        arguments: [
            ("2020-07-31T20:09:21Z", 1_596_226_161_000), ("2020-07-31t20:09:21.5z", 1_596_226_161_500),
            ("2020-07-31T20:09:21.123456789012+00:00", 1_596_226_161_123),
            ("2020-08-01T15:21:21+19:12", 1_596_226_161_000),
            ("2020-07-30T20:58:21-23:11", 1_596_226_161_000), ("1969-12-31T23:59:59.999Z", -1),
            ("2020-07-31T20:09:21", nil),
            ("2020-07-31T20:09:21+24:00", nil), ("2020-07-31T20:09:21+00:60", nil), ("2020-13-31T20:09:21Z", nil),
            ("2020-07-31 20:09:21Z", nil), ("", nil),
        ] as [(String, Int64?)])
    func `times of requests are all that RFC 3339 has`(_ text: String, _ wanted: Int64?) {
        #expect(Timestamp(ofRequest: text)?.milliseconds == wanted)
    }

    @Test func `counts of a long span come in parts, none twice`() throws {
        let server = try server()
        let sessions = try [("s1", "2001-05-05T12:00:00Z"), ("s2", "2020-05-05T12:00:00Z")].map { id, started in
            let session = Session(
                id: id, started: try #require(Timestamp(rfc3339: started)), status: .exited, release: "app@1.0")
            let payload = String(decoding: try ModelCoding.encode(session), as: UTF8.self)
            return "{\"kind\":\"session\",\"id\":\"\(id)\",\"payload\":\(payload)}"
        }
        _ = try server.accepted(Samples.batch(sessions))
        func all(_ path: String, _ name: String) throws -> [JSONValue] {
            var (rows, cursor, answers): ([JSONValue], String?, Int) = ([], nil, 0)
            repeat {
                let answer = try server.json(path + (cursor.map { "&cursor=\($0)" } ?? ""))
                rows += answer[name]?.array ?? []
                cursor = answer["next_cursor"]?.string
                answers += 1
            } while cursor != nil && answers < 20
            #expect(answers > 5, "a thousand days each")
            return rows
        }
        let span = "from=2000-01-01T07:00:00Z&to=2026-06-01T05:00:00Z"
        let days = try all("counts?" + span, "counts")
        #expect(days == [["start": "2023-11-14T00:00:00.000Z", "events": 1]])
        try server.eventually { try all("health?" + span, "health").count == 2 ? true : nil }
        let health = try all("health?" + span, "health").compactMap { $0["day"]?.string?.prefix(4) }
        #expect(health == ["2020", "2001"], "the newest first")
        let backwards = "from=2026-01-01T00:00:00Z&to=2020-01-01T00:00:00Z"
        #expect(try server.json("counts?" + backwards)["counts"]?.array == [])
        #expect(try server.json("health?" + backwards)["health"]?.array == [])
    }

    @Test func `counts, what was affected and sessions without a crash`() throws {
        let server = try server()
        let started = Timestamp(milliseconds: 1_700_000_000_000)
        let sessions = try [("s1", SessionStatus.crashed), ("s2", .exited)].map { id, status in
            let session = Session(id: id, started: started, status: status, release: "app@1.0")
            let payload = String(decoding: try ModelCoding.encode(session), as: UTF8.self)
            return "{\"kind\":\"session\",\"id\":\"\(id)\",\"payload\":\(payload)}"
        }
        _ = try server.accepted(Samples.batch(sessions))
        let span = "from=2023-11-14T00:00:00Z&to=2023-11-15T00:00:00Z"
        let counts = try server.json("issues/1/counts?unit=hour&" + span)["counts"]?.array ?? []
        #expect(counts == [["start": "2023-11-14T22:00:00.000Z", "events": 1]])
        #expect(try server.json("counts?" + span)["counts"]?.array.first?["events"] == 1)
        #expect(try server.json("issues/1/affected?by=user")["affected"]?.array.first?["value"]?.string == "u1")
        #expect(try server.json("issues/1/affected")["affected"]?.array.first?["value"]?.string == "app@1.0")
        let health: JSONValue = try server.eventually {
            let row = try server.json("health?" + span)["health"]?.array.first
            return row?["sessions"] == 2 ? row : nil
        }
        #expect(health["crash_free_sessions"] == 0.5 && health["day"]?.string == "2023-11-14")
        #expect(health["users"] == 1 && health["crashed_users"] == 1, "one installation sent both")
    }

    @Test func `the page's buttons do what they say, for its own forms only`() throws {
        let server = try server()
        let session = try server.session()
        func page() throws -> String { try server.client.send("GET", "/issues/1", headers: session).text }
        let proof = String(try #require(try page().firstMatch(of: /name="form" value="([^"]+)"/)?.1))
        func post(_ action: String, _ fields: String, origin: String? = nil) throws -> Int {
            let headers = origin.map { session.merging(["Origin": $0]) { first, _ in first } } ?? session
            return try server.client.send("POST", "/issues/1/" + action, headers: headers, body: Data(fields.utf8))
                .status
        }
        #expect(try post("resolve", "form=x") == 403)
        #expect(try post("resolve", "form=\(proof)", origin: "http://evil.example") == 403)
        #expect(try post("resolve", "form=\(proof)&after_release=app%401.0") == 303)
        #expect(try page().contains("resolved after app@1.0"))
        #expect(try post("open", "form=\(proof)") == 303)
        #expect(try post("mute", "form=\(proof)") == 303)
        #expect(try server.json("issues/1")["status"]?.string == "muted")
        #expect(try post("comment", "form=\(proof)&text=%3Cscript%3Ehello") == 303)
        #expect(try post("comment", "form=\(proof)&text=") == 400)
        #expect(try post("assign", "form=\(proof)&assignee=bob") == 303)
        let text = try page()
        #expect(text.contains("&lt;script&gt;hello") && !text.contains("<script>"))
        #expect(text.contains("assigned to bob"))
    }
}

extension ServerProcess {
    /// A JSON body to an address under the project, with the token.
    func send(_ method: String, _ path: String, _ body: JSONValue) throws -> HTTPClient.Response {
        let headers = tokenHeader.merging(["Content-Type": "application/json"]) { first, _ in first }
        return try client.send(
            method, "/api/v1/projects/\(credentials.project)/\(path)", headers: headers,
            body: try ModelCoding.encode(body))
    }

    func change(_ path: String, _ body: JSONValue) throws -> JSONValue {
        let answer = try send("PATCH", path, body)
        guard answer.status == 200 else { throw ChildProcess.Failure(description: answer.text) }
        return try ModelCoding.decode(JSONValue.self, from: answer.body)
    }
}
