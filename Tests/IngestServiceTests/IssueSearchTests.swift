// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import IngestService

struct IssueSearchTests {
    /// Issue 1 in `app.parse(x:)` with a breadcrumb, issue 2 in `app.draw()` with a tag.
    private func server() throws -> ServerProcess {
        let server = try ServerProcess()
        var first = Samples.crash(1, function: "app.parse(x:)", message: "index out of range")
        first.breadcrumbs = [
            Breadcrumb(timestamp: Timestamp(milliseconds: 1), category: "http", message: "GET /orders/7")
        ]
        first.threads[0].frames[0].file = "/src/Parser.swift"
        var second = Samples.crash(2, function: "app.draw()")
        second.tags = ["customer": "northwind"]
        second.release = "app@2.0"
        // Another place: the same one would make them one issue.
        second.threads[0].frames[0].relativeAddress = HexAddress(0x30)
        second.threads[0].frames[0].instructionAddress = HexAddress(0x1030)
        for (number, event) in [(1, first), (2, second)] {
            _ = try server.accepted(try Samples.batch(event))
            _ = try server.event(number)
        }
        return server
    }

    private func found(_ server: ServerProcess, _ query: String) throws -> [Int64] {
        let list = try server.json("issues?" + query)["issues"]?.array ?? []
        return list.compactMap { if case .integer(let id)? = $0["id"] { id } else { nil } }
    }

    @Test func `issues are found by what their events say`() throws {
        let server = try server()
        for (text, wanted) in [
            ("parse", [1]), ("file:Parser.swift", [1]), ("orders", [1]), ("breadcrumb:http", [1]),
            ("\"out of range\"", [1]),
            ("tag:north", [2]), ("customer", [2]), ("release:app@2.0", [2]), ("-parse", [2]), ("SIGSEGV", [2, 1]),
            ("user:\"install i\"", [2, 1]), ("nowhere", []), ("status:resolved", []), ("\" OR 1=1; --", []),
        ] as [(String, [Int64])] {
            #expect(try found(server, "query=" + FormCoding.encode(text)) == wanted, "\(text)")
        }
        #expect(try found(server, "release=app%402.0&status=unresolved") == [2])
        #expect(try found(server, "sort=users&limit=1") == [2])
        #expect(try server.get("issues?sort=title").status == 400)
        #expect(try server.get("issues?query=" + String(repeating: "a", count: 1001)).status == 400)
        let session = try server.session()
        let page = try server.client.send("GET", "/?query=customer&sort=events", headers: session).text
        #expect(page.contains("/issues/2") && !page.contains("/issues/1"))
        #expect(page.contains("value=\"customer\""))
    }

    @Test func `issues are merged, parted again and split by their addresses`() throws {
        let server = try server()
        let merged = try server.send("POST", "issues/1/merge", ["into": 2, "by": "ann"])
        #expect(merged.status == 200)
        #expect(try server.json("issues/1")["id"] == 2)
        #expect(try found(server, "query=parse") == [2])
        #expect(try server.send("POST", "issues/1/merge", ["into": 2]).status == 409)
        #expect(try server.send("POST", "issues/2/merge", ["into": "1"]).status == 400)
        #expect(try server.json("issues/2/moves")["moves"]?.array.first?["from_issue_id"] == 1)
        #expect(try server.send("POST", "moves/1/undo", [:]).status == 200)
        #expect(try found(server, "query=parse") == [1])
        #expect(try server.send("POST", "moves/9/undo", [:]).status == 404)

        var other = Samples.crash(3, function: "app.parse(x:)")
        other.threads[0].frames[0].relativeAddress = HexAddress(0x20)
        other.tags = ["shelf": "upper"]
        _ = try server.accepted(try Samples.batch(other))
        _ = try server.event(3)
        let split = try server.send("POST", "issues/1/split", ["events": [.string(Samples.eventID(3))]])
        #expect(split.status == 201, "\(split.text)")
        let issue = try ModelCoding.decode(JSONValue.self, from: split.body)["issue"]
        #expect(issue?["id"] == 3 && issue?["culprit"]?.string?.contains("parse") == true)
        #expect(try found(server, "query=shelf").contains(3))
        #expect(try server.send("POST", "issues/1/split", ["keys": ["nonsense"]]).status == 400)
        #expect(try server.send("POST", "issues/1/split", [:]).status == 400)
        #expect(try server.json("issues/1/keys")["keys"]?.array.first?["events"] == 1)
    }
}
