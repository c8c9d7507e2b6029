// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// Captured memory beside the text, for services that say that they take it.
struct PartsDeliveryTests {
    private static let settings: JSONValue = [
        "schema_version": 1, "version": "1", "settings": [:], "accepts": ["application/vnd.vaka.batch"],
    ]

    @Test func `memory goes beside the text where the service takes it, and is asked for once`() throws {
        let server = try ScriptedServer()
        try server.setSettings(Self.settings)
        let setup = try DeliverySetup(url: server.url)
        try setup.addEvent("a", stackBytes: 60_000)
        try setup.addEvent("b", stackBytes: 60_000)
        #expect(setup.deliverer.drain() == .done)
        let requests = try server.requests()
        #expect(requests.count == 2)
        for request in requests {
            #expect(request.headers["content-type"] == "application/vnd.vaka.batch")
            #expect(request.encoding == nil)
            #expect(request.items.first?["parts"] == 1)
            guard case .array(let threads) = request.items.first?["payload"]?["threads"] else { throw Missing() }
            #expect(threads.first?["stack"] == ["address": "0x1000", "part": 0])
        }
        #expect(try server.settingsRequests().count == 1)
    }

    @Test(arguments: [nil, ["settings": [:]], ["accepts": ["text/plain"]], ["accepts": 7], [] as JSONValue])
    func `a service that does not say so gets one text`(settings: JSONValue?) throws {
        let server = try ScriptedServer()
        if let settings { try server.setSettings(settings) }
        let setup = try DeliverySetup(url: server.url)
        try setup.addEvent("a")
        #expect(setup.deliverer.drain() == .done)
        let request = try #require(try server.requests().first)
        #expect(request.headers["content-type"] == "application/json" && request.encoding == "gzip")
        guard case .array(let threads) = request.items.first?["payload"]?["threads"] else { throw Missing() }
        #expect(threads.first?["stack"]?["data"]?.string == Data(repeating: 1, count: 3000).base64EncodedString())
        #expect(request.items.first?["parts"] == nil)
    }

    @Test func `without memory nobody is asked`() throws {
        let server = try ScriptedServer()
        let setup = try DeliverySetup(url: server.url)
        try setup.add("a")
        try setup.addEvent("b", stackBytes: 16)
        #expect(setup.deliverer.drain() == .done)
        #expect(try server.requests().map { $0.headers["content-type"] } == ["application/json", "application/json"])
        #expect(try server.settingsRequests().isEmpty)
    }

    private struct Missing: Error {}
}
