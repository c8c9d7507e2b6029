// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import IngestService

/// The forms of the settings do what the API does, for those who may.
struct SettingsPageTests {
    private static let password = "correct horse battery"
    private static let paths = SettingsSection.all.map(\.path)

    @Test func `keys and tokens are made, shown once, and revoked`() throws {
        let server = try ServerProcess()
        let reader = try PageReader(server)
        let made = try reader.send("/settings/keys", ["name": "shop", "expires_in_days": "30"])
        #expect(made.status == 200)
        let key = try #require(made.text.firstMatch(of: /vk_[A-Za-z0-9_-]{43}/).map { String($0.0) })
        let batch = Data(try Samples.batch(Samples.crash(1)).utf8)
        func ingest() throws -> Int {
            try server.client.send(
                "POST", "/api/v1/ingest", headers: ["Authorization": "Bearer \(key)"], body: batch
            ).status
        }
        #expect(try ingest() == 202)
        let list = try reader.page("/settings/keys").text
        #expect(!list.contains(key) && list.contains(String(key.prefix(11))) && list.contains("shop"))
        let id = try #require(list.firstMatch(of: /keys\/([0-9]+)\/revoke/).map { String($0.1) })
        let revoked = try reader.send("/settings/keys/\(id)/revoke")
        #expect(revoked.status == 303 && revoked.headers["location"] == "/settings/keys?saved=1")
        try server.eventually { try ingest() == 401 ? true : nil }
        #expect(try reader.send("/settings/keys/\(id)/revoke").status == 404)

        let token = try reader.send("/settings/tokens", ["name": "ci", "scopes.upload": "on", "scopes.read": "on"])
        let secret = try #require(token.text.firstMatch(of: /va_[A-Za-z0-9_-]{43}/).map { String($0.0) })
        #expect(try server.call("GET", "/projects/default/issues", token: secret).status == 200)
        #expect(try server.call("GET", "/projects/default/keys", token: secret).status == 403)
        let none = try reader.send("/settings/tokens", ["name": "kept words"])
        #expect(none.status == 400 && none.text.contains("“What it may”") && none.text.contains("kept words"))
        let log = try reader.page("/settings/audit").text
        #expect(log.contains("POST /settings/keys</code>") && log.contains("(shop)"))
    }

    @Test func `limits, scrubbing, switches and links are set, and wrong ones come back as they were written`() throws {
        let server = try ServerProcess()
        let reader = try PageReader(server)
        let project = "/projects/default"
        #expect(try reader.send("/settings/limits", ["keep_days": "30", "key_items": "0"]).status == 303)
        let limits = try server.made("GET", project + "/limits")
        #expect(limits["own_keep"]?["days"] == 30 && limits["own"]?["key_items"] == 0)
        let wrong = try reader.send("/settings/limits", ["keep_days": "a <b>month</b>"])
        #expect(wrong.status == 400 && wrong.text.contains("value=\"a &lt;b&gt;month"))
        #expect(wrong.text.contains("“Days that events are kept” takes a number of days"))
        #expect(wrong.text.contains("aria-invalid=\"true\""))
        #expect(try server.made("GET", project + "/limits")["own_keep"]?["days"] == 30)

        let rules = ["held.jwt": "on", "rules": "number KD-[0-9]{6}\r\n\r\n", "names": "pin\ntan"]
        #expect(try reader.send("/settings/scrubbing", rules).status == 303)
        let scrubbing = try server.made("GET", project + "/scrubbing")["settings"]
        #expect(scrubbing?["names"] == ["pin", "tan"] && scrubbing?["off"]?.array.contains("jwt") == false)
        let tried = try reader.send("/settings/scrubbing/try", ["text": "of KD-123456"])
        #expect(tried.status == 200 && !tried.text.contains("<pre tabindex=\"0\">of KD-123456"))
        #expect(try reader.send("/settings/scrubbing", ["rules": "broken ([a"]).text.contains("broken ([a</textarea>"))
        #expect(try reader.send("/settings/scrubbing/apply").text.contains("that was all"))

        let switches = ["crash_reporting": "false", "error_sample_rate": "0.5", "others": "{\"new\": true}"]
        #expect(try reader.send("/settings/sdk", switches).status == 303)
        let settings = try server.made("GET", project + "/sdk-settings")["settings"]
        #expect(settings?["crash_reporting"] == false && settings?["new"] == true && settings?["event_logging"] == nil)
        let rate = try reader.send("/settings/sdk", ["error_sample_rate": "2"])
        #expect(rate.status == 400 && rate.text.contains("“Share of errors” must be a number from 0 to 1"))
        #expect(try reader.send("/settings/sdk", ["others": "[1]"]).text.contains("must be a JSON object"))

        #expect(try reader.send("/settings/source", ["template": "https://c.example/{path}"]).status == 303)
        #expect(try reader.send("/settings/source", ["template": "ftp://x"]).status == 400)
        #expect(try server.made("GET", project + "/source-link")["template"] == "https://c.example/{path}")
    }

    @Test func `screen recording has fields of its own`() throws {
        let server = try ServerProcess()
        let reader = try PageReader(server)
        func settings() throws -> JSONValue? {
            try server.made("GET", "/projects/default/sdk-settings")["settings"]
        }
        let written = [
            "screen_recording": "true", "screen_recording_privacy": "mask_inputs", "screen_recording_quality": "low",
            "screen_recording_masked_screens": "check out\r\n\r\n<b>pay</b>", "others": "{\"new\": true}",
        ]
        #expect(try reader.send("/settings/sdk", written).status == 303)
        let set = try settings()
        #expect(set?["screen_recording"] == true && set?["screen_recording_privacy"] == "mask_inputs")
        #expect(set?["screen_recording_quality"] == "low" && set?["new"] == true)
        #expect(set?["screen_recording_masked_screens"] == ["check out", "<b>pay</b>"])
        // Each is shown in its field, and not as a setting of one's own.
        let page = try reader.page("/settings/sdk").text
        #expect(page.contains("<option value=\"mask_inputs\" selected"))
        #expect(page.contains("check out\n&lt;b&gt;pay&lt;/b&gt;</textarea>") && !page.contains("<b>pay"))
        #expect(!page.contains("&quot;screen_recording") && page.contains("&quot;new&quot;"))
        for (name, label) in [
            ("screen_recording", "Screen recording"), ("screen_recording_privacy", "Texts in recordings"),
            ("screen_recording_quality", "Quality of recordings"),
        ] {
            #expect(page.contains("for=\"settings-sdk-\(name)\">\(label)<"))
            let wrong = try reader.send("/settings/sdk", written.merging([name: "<i>else"]) { $1 })
            #expect(wrong.status == 400 && wrong.text.contains("“\(label)” must be"), "\(name)")
            #expect(!wrong.text.contains("<i>else") && wrong.text.contains("check out"))
        }
        let long = String(repeating: "x", count: 201)
        #expect(try reader.send("/settings/sdk", ["screen_recording_masked_screens": long]).status == 400)
        #expect(try settings() == set)
        // Long settings of one's own are shown whole: they are what is saved next.
        let names = (0..<100).map { "\"name-\($0)\":true" }.joined(separator: ",")
        #expect(try reader.send("/settings/sdk", ["others": "{\(names)}"]).status == 303)
        #expect(try reader.page("/settings/sdk").text.contains("&quot;name-99&quot;:true"))
        // The longest list that is allowed has room, by the page and by the API.
        let screens = (0..<1000).map { String(repeating: "é", count: 196) + String(1000 + $0) }
        #expect(
            try reader.send("/settings/sdk", ["screen_recording_masked_screens": screens.joined(separator: "\n")])
                .status
                == 303)
        #expect(try settings()?["screen_recording_masked_screens"]?.array.count == 1000)
        let all: JSONValue = ["screen_recording_masked_screens": .array(screens.reversed().map { .string($0) })]
        _ = try server.made("POST", "/projects/default/sdk-settings", all)
        #expect(try settings() == all)
        // Nothing written is nothing set.
        #expect(try reader.send("/settings/sdk", ["screen_recording": "", "others": ""]).status == 303)
        #expect(try settings() == [:])
    }

    @Test func `projects, users and members`() throws {
        let server = try ServerProcess()
        let reader = try PageReader(server)
        #expect(try reader.send("/settings/projects", ["name": "shop"]).text.contains("vk_"))
        #expect(try reader.send("/settings/projects", ["name": "shop"]).status == 409)
        #expect(try reader.send("/settings/projects", ["name": "Not So"]).text.contains("value=\"Not So\""))
        let added = try reader.send("/settings/users", ["name": "Ann", "password": ""])
        #expect(added.status == 200 && added.text.contains("The password of ann"))
        #expect(try reader.send("/settings/users", ["name": "ann", "password": Self.password]).status == 409)
        #expect(try reader.send("/settings/users/ann/password", ["password": "short"]).status == 400)
        #expect(try reader.send("/settings/users/ann/password", ["password": Self.password]).status == 303)
        #expect(try reader.send("/settings/members", ["user": "nobody", "role": "member"]).status == 404)
        #expect(try reader.send("/settings/members", ["user": "ann", "role": "admin"]).status == 303)
        let ann = try PageReader(server, name: "ann", password: Self.password)
        #expect(try ann.page("/settings/keys").status == 200)
        #expect(try ann.page("/settings/users").status == 403)
        #expect(try ann.send("/settings/users", ["name": "eve"]).status == 403)
        #expect(try reader.send("/settings/members/ann/remove").status == 303)
        #expect(try ann.page("/settings/keys").status == 303)
        #expect(try reader.send("/settings/users/ann/disable").status == 303)
        #expect(try server.logIn("ann", Self.password).status == 403)
        #expect(try reader.send("/settings/users/ann/nothing").status == 404)
        #expect(try reader.send("/settings/users/ann/remove").status == 303)
        #expect(!(try reader.page("/settings/users").text.contains("ann")))
    }

    @Test func `who may only read sees without forms, and a form of another site changes nothing`() throws {
        let server = try ServerProcess()
        try server.addUser("rita", role: "read-only", password: Self.password)
        let rita = try PageReader(server, name: "rita", password: Self.password)
        for section in SettingsSection.all {
            let page = try rita.page(section.path)
            #expect(page.status == (section.readers == .read ? 200 : 403), "\(section.path)")
            guard page.status == 200 else { continue }
            #expect(!page.text.contains("action=\"\(section.path)\""), "\(section.path)")
        }
        #expect(try rita.send("/settings/limits", ["keep_days": "1"]).status == 403)
        #expect(try rita.send("/settings/scrubbing/try", ["text": "x"]).status == 200)
        let admin = try PageReader(server)
        for path in ["/settings/limits", "/settings/keys", "/settings/users/rita/remove", "/issues"] {
            #expect(try admin.send(path, ["keep_days": "1", "action": "mute"], proof: "no").status == 403, "\(path)")
        }
        let limits = try server.made("GET", "/projects/default/limits")
        #expect(limits["own_keep"]?["days"] == .null)
    }

    @Test func `a target is added, tried and removed`() throws {
        let target = try ScriptedServer(default: .init(status: 204))
        let server = try ServerProcess(["--alert-network", "127.0.0.0/8"])
        let reader = try PageReader(server)
        let address = target.url + "/hook"
        let added = try reader.send(
            "/settings/alerts", ["channel": "webhook", "address": address, "kinds.regression": "on"])
        #expect(added.status == 200 && added.text.contains("signed with this secret"))
        let wrong = try reader.send("/settings/alerts", ["channel": "webhook", "address": "nowhere <b>"])
        #expect(wrong.status == 400 && wrong.text.contains("value=\"nowhere &lt;b&gt;\""))
        let tested = try reader.send("/settings/alerts/1/test")
        #expect(tested.status == 200 && tested.text.contains("The test was delivered"))
        #expect(try reader.page("/settings/alerts").text.contains("regressions"))
        #expect(try reader.send("/settings/alerts/1/remove").status == 303)
        #expect(try reader.page("/settings/alerts").text.contains("Nobody is told yet"))
    }

    @Test func `many issues are decided about at once`() throws {
        let server = try ServerProcess()
        for (number, name) in zip(1...3, ["alpha", "beta", "gamma"]) {
            var event = Samples.crash(number, function: "app.\(name)()")
            // Another place: the same one would make them one issue.
            event.threads[0].frames[0].relativeAddress = HexAddress(UInt64(number) * 0x20)
            event.threads[0].frames[0].instructionAddress = HexAddress(0x1000 + UInt64(number) * 0x20)
            #expect(try server.accepted(try Samples.batch(event)).accepted == 1)
            _ = try server.event(number)
        }
        let reader = try PageReader(server)
        func issues(_ query: String) throws -> [JSONValue] {
            let answer = try reader.page("/issues.json?sort=first_seen&query=" + FormCoding.encode(query))
            return try ModelCoding.decode(JSONValue.self, from: answer.body)["issues"]?.array ?? []
        }
        let ids = try issues("").compactMap { $0["id"].map(ValueText.of) }
        try #require(ids.count == 3)
        func chosen(_ ids: String..., fields: [String: String]) -> [String: String] {
            ids.reduce(into: fields) { $0["issue-" + $1] = "on" }
        }
        let sent = try reader.send(
            "/issues", chosen(ids[0], ids[2], "99", fields: ["action": "resolve", "next": "/?query=x"]))
        #expect(sent.status == 303 && sent.headers["location"] == "/?query=x")
        #expect(try issues("status:resolved").compactMap { $0["id"].map(ValueText.of) } == [ids[0], ids[2]])
        let named = [ids[0], ids[2]].sorted().joined(separator: " ")
        #expect(try reader.page("/settings/audit").text.contains("resolve \(named)<"))
        #expect(BulkActions.listed(Array(1...100)).hasSuffix(" 55 56 and 44 more"))
        let assigned = try reader.send("/issues", chosen(ids[1], fields: ["action": "assign", "assignee": "<i>"]))
        #expect(assigned.status == 303)
        #expect(try reader.page("/").text.contains("assigned to &lt;i&gt;"))
        #expect(try reader.send("/issues", chosen(ids[1], fields: ["action": "burn"])).status == 400)
    }
}
