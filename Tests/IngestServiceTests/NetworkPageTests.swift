// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import IngestService

/// What people see of the network.
struct NetworkPageTests {
    @Test func `the page lists exchanges by what came of them, their times, and what could not be read`() throws {
        let server = try ServerProcess()
        let reader = try PageReader(server)
        #expect(try reader.page("/network").text.contains("No program has told of its network"))
        var failed = NetworkSamples.record("bad", phase: .failed, url: "https://api.example/<b>")
        failed.error = "timed out <script>"
        failed.responseBody = "<i>body</i>"
        failed.responseHeaders = ["Server": "<u>"]
        let items = try [
            NetworkSamples.item(NetworkSamples.record("open", phase: .started), id: "1"),
            NetworkSamples.item(NetworkSamples.record("done", status: 404, milliseconds: 1500), id: "2"),
            NetworkSamples.item(failed, id: "3"), NetworkSamples.versioned("9", id: "4"),
        ]
        #expect(try server.send(items).accepted == 3)
        _ = try server.list("network", count: 3)
        _ = try server.list("diagnostics", count: 1)
        let all = try reader.page("/network").text
        for text in [
            "in flight", ">404<", "timed out &lt;script&gt;", "GET /users/{id}", "p95", "1.5 s",
            "sdk_network_schema_unsupported", "100 %", "aria-current=\"page\"",
        ] {
            #expect(all.contains(text), "\(text)")
        }
        #expect(!all.contains("<script>") && !all.contains("<i>body"))
        let open = try reader.page("/network?state=live").text
        #expect(open.contains("in flight") && !open.contains(">404<"))
        #expect(try !reader.page("/network?state=error&site=&route=").text.contains("in flight"))
        #expect(try reader.page("/network?state=odd").status == 400)
        #expect(try reader.page("/network?limit=1").text.contains("Older records"))
        let detail = try reader.page("/network/3").text
        #expect(
            detail.contains("&lt;i&gt;body&lt;/i&gt;") && detail.contains("&lt;u&gt;") && detail.contains("not known"))
        #expect(detail.contains("/network?request_id=bad&amp;install_id=i"))
        let list = try reader.page("/network?request_id=bad&install_id=i&state=slow&slow_ms=5").text
        #expect(list.contains("/network?state=live&amp;slow_ms=5&amp;request_id=bad&amp;install_id=i"))
        #expect(try reader.page("/network/99").status == 404)
    }

    private func event(_ number: Int, _ capabilities: [CapabilityDescriptor]?) -> Event {
        var event = Samples.crash(number)
        event.capabilities = capabilities
        event.session = Session(id: "session \(number)", started: event.timestamp, status: .crashed)
        return event
    }

    private func page(_ number: Int, _ server: ServerProcess, _ reader: PageReader) throws -> String {
        _ = try server.event(number)
        return try reader.page("/events/\(Samples.eventID(number))").text
    }

    @Test func `an event shows its last exchanges, finished and in flight`() throws {
        let server = try ServerProcess()
        var crash = Samples.crash(1)
        let time = Timestamp(milliseconds: crash.timestamp.milliseconds - 250)
        var open = NetworkSamples.record("open", phase: .started, url: "https://api.example/in-flight")
        var done = NetworkSamples.record("done", status: 503, milliseconds: 12.5)
        (open.timestamp, done.timestamp) = (time, time)
        crash.network = NetworkHistory([done, open])
        _ = try server.accepted(try Samples.batch(crash))
        let text = try page(1, server, try PageReader(server))
        for part in ["https://api.example/in-flight", "in flight", ">503<", "−250 ms", "12.5 ms"] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!text.contains("No requests are shown"))
        let plain = try server.get("events/\(Samples.eventID(1))/text").text
        #expect(plain.contains("GET https://api.example/in-flight  in flight"))
        #expect(plain.contains("GET https://api.example/users/17  503, 12.5 ms"))
    }

    private static let reasons: [(CapabilityState, CapabilityReason?, String)] = [
        (.disabled, .hostOptIn, "the host has not registered any of its transports"),
        (.disabled, .networkCaptureDisabled, "network capture is switched off"),
        (.notInitialized, .networkCaptureNotInitialized, "the SDK was not started with network capture"),
        (.unsupported, .noAdapter, "no transport of the program can be captured"),
        (.supported, nil, "none was made over what the host has registered"),
    ]

    @Test(arguments: reasons) func `where no requests are shown, the page says why`(
        state: CapabilityState, reason: CapabilityReason?, words: String
    ) throws {
        let server = try ServerProcess()
        let capabilities = [
            CapabilityDescriptor(id: "network.transport.urlsession", state: state, reason: reason),
            CapabilityDescriptor(id: "navigation.deeplink", state: .supported),
        ]
        _ = try server.accepted(try Samples.batch(event(1, capabilities), Samples.crash(2)))
        let reader = try PageReader(server)
        let text = try page(1, server, reader)
        #expect(text.contains("No requests are shown: \(words)") && text.contains("navigation.deeplink"))
        #expect(try !page(2, server, reader).contains("No requests are shown"), "nothing is known of it")
    }

    @Test func `what a session told apart is told with its event`() throws {
        let server = try ServerProcess()
        let report = CapabilityReport(
            timestamp: Timestamp(milliseconds: 1), session: "session 1", release: "app@1",
            capabilities: [
                CapabilityDescriptor(id: "network.transport.socket", state: .disabled, reason: .hostOptIn)
            ])
        let payload = String(decoding: try ModelCoding.encode(report), as: UTF8.self)
        let items = [
            NetworkSamples.item(payload, id: "c", kind: "capabilities"), try Samples.item(event(1, nil)),
            NetworkSamples.item(#"{"capabilities":5}"#, id: "d", kind: "capabilities"),
        ]
        let reply = try server.send(items)
        #expect(reply.accepted == 2 && reply.rejected.map(\.code) == ["invalid_capabilities"])
        let listed = try #require(try server.list("capabilities", count: 1).first)
        #expect(listed["session"] == "session 1" && listed["release"] == "app@1" && listed["install_id"] == "i")
        #expect(listed["capabilities"]?.array.first?["reason"] == "HOST_OPT_IN")
        #expect(try server.event(1).capabilities == report.capabilities)
        #expect(try page(1, server, try PageReader(server)).contains("the host has not registered"))
    }

    @Test func `the switches of network capture are set by API and page, and served to programs`() throws {
        let server = try ServerProcess()
        let reader = try PageReader(server)
        let fields = [
            "network_capture": "true", "network_capture_bodies": "false", "network_performance": "true",
            "network_hosts_include": "api.example\r\n *.shop.example\n", "network_hosts_exclude": "",
        ]
        #expect(try reader.send("/settings/sdk", fields).status == 303)
        let expected: JSONValue = [
            "network_capture": true, "network_capture_bodies": false, "network_performance": true,
            "network_hosts_include": ["api.example", "*.shop.example"],
        ]
        let served = try server.client.send("GET", "/api/v1/sdk-settings", headers: server.keyHeader)
        #expect(try ModelCoding.decode(JSONValue.self, from: served.body)["settings"] == expected)
        let shown = try reader.page("/settings/sdk").text
        #expect(shown.contains("api.example\n*.shop.example</textarea>"))
        let wrong = try reader.send("/settings/sdk", ["network_hosts_exclude": "a b"])
        #expect(wrong.status == 400 && wrong.text.contains("“Hosts not to record” must be a list"))
        for setting: JSONValue in [
            ["network_capture": "on"], ["network_hosts_include": "host"], ["network_hosts_include": [1]],
            ["network_hosts_exclude": .array((0...100).map { .string("h\($0)") })],
        ] {
            #expect(try server.call("POST", "/projects/default/sdk-settings", setting).status == 400)
        }
    }
}
