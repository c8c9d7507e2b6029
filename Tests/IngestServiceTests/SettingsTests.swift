// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

struct SettingsTests {
    private func asProgram(_ server: ServerProcess, tag: String? = nil) throws -> HTTPClient.Response {
        var headers = server.keyHeader
        headers["If-None-Match"] = tag
        return try server.client.send("GET", "/api/v1/sdk-settings", headers: headers)
    }

    private func replace(_ server: ServerProcess, _ body: String) throws -> HTTPClient.Response {
        try server.client.send(
            "POST", "/api/v1/projects/default/sdk-settings",
            headers: server.tokenHeader.merging(["Content-Type": "application/json"]) { $1 }, body: Data(body.utf8))
    }

    @Test func `programs get what a person has set`() throws {
        let server = try ServerProcess()
        let none = try asProgram(server)
        let empty = try ModelCoding.decode(JSONValue.self, from: none.body)
        #expect(none.status == 200 && empty["settings"] == [:] && empty["schema_version"] == 1)
        let tag = try #require(none.headers["etag"])
        #expect(tag == "\"\(empty["version"]?.string ?? "")\"")
        #expect(try asProgram(server, tag: tag).status == 304)

        #expect(try replace(server, "{\"error_sample_rate\": 0.5, \"of_ours\": [1]}").status == 200)
        let changed = try asProgram(server, tag: tag)
        #expect(changed.status == 200)
        let settings = try ModelCoding.decode(JSONValue.self, from: changed.body)["settings"]
        #expect(settings == ["error_sample_rate": 0.5, "of_ours": [1]])
        #expect(try server.json("sdk-settings")["settings"] == settings)
    }

    @Test(arguments: [
        "[]", "{\"error_sample_rate\": 2}", "{\"event_logging\": \"no\"}", "{\"pseudonym_salt\": \"x\"}", "{",
    ])
    func `what is no setting is refused`(body: String) throws {
        let server = try ServerProcess()
        let reply = try replace(server, body)
        #expect(reply.status == 400 && reply.text.contains("invalid_setting"))
        #expect(try server.json("sdk-settings")["settings"] == [:])
    }

    @Test func `the command changes them`() throws {
        let server = try ServerProcess()
        func settings(_ arguments: String...) throws -> ChildProcess.Result {
            try ChildProcess.run(
                BuildProducts.executable("vaka"),
                ["settings", "--url", server.credentials.url, "--token", server.credentials.adminToken] + arguments)
        }
        #expect(try settings("--set", "track_sample_rate=0.25", "--set", "motd=hello").status == .exited(0))
        let result = try settings("--set", "event_logging=false", "--unset", "motd")
        let printed = try ModelCoding.decode(JSONValue.self, from: Data(result.output.utf8))
        #expect(printed == ["track_sample_rate": 0.25, "event_logging": false])
        #expect(try server.json("sdk-settings")["settings"] == printed)
        #expect(try settings("--set", "event_logging=perhaps").status == .exited(1))
        #expect(try settings("--set", "nothing").status == .exited(2))
    }
}
