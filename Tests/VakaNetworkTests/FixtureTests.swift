// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import VakaNetwork

/// The one source of Tests/Support/network-fixtures: what the SDK itself writes, for whoever reads it. `VAKA_NETWORK_FIXTURES`
/// names the folder to write them to.
@Suite struct FixtureTests {
    private static let folder = BuildProducts.root + "/Tests/Support/network-fixtures"

    @Test func writesSerializedNetworkFixtures() throws {
        let fixtures = try Self.fixtures()
        if let folder = getenv("VAKA_NETWORK_FIXTURES").map({ String(cString: $0) }) {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for (name, document) in fixtures {
                try ModelCoding.encode(document, pretty: true).write(to: URL(fileURLWithPath: "\(folder)/\(name).json"))
            }
            return
        }
        for (name, document) in fixtures {
            let kept = try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\(name).json"))
            #expect(try ModelCoding.decode(JSONValue.self, from: kept) == document, "\(name): write them anew")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { $0.hasSuffix(".json") }
        #expect(Set(names) == Set(fixtures.map { $0.name + ".json" }))
    }

    /// Every property has an example somewhere, and nothing has a key that the service does not know.
    @Test func everyKeyIsInSomeFixture() throws {
        var seen: Set<String> = []
        for (_, document) in try Self.fixtures() {
            guard case .array(let items) = document["items"] else { continue }
            for item in items where item["kind"] == "network" {
                seen.formUnion(item["payload"]?.object?.keys.map(\.self) ?? [])
            }
        }
        #expect(seen == Set(NetworkRequestEvent.wireKeys))
    }

    private static func fixtures() throws -> [(name: String, document: JSONValue)] {
        [
            ("urlsession", try batch(urlSession(isFull: false))),
            ("urlsession-full", try batch(urlSession(isFull: true))),
            ("urlsession-error", try batch(failure())), ("websocket", try batch(webSocket())),
            ("socket", try batch(socket())), ("capabilities", try capabilities()),
            ("contract-keys", .array(NetworkRequestEvent.wireKeys.map { .string($0) })),
        ]
    }

    private static func batch(_ sink: MemorySink) throws -> JSONValue {
        let items = try sink.records.enumerated().map { number, record -> BatchItem in
            BatchItem(kind: .network, id: id(number), payload: try JSONValue(encoding: steady(record)))
        }
        return try batch(items)
    }

    private static func batch(_ items: [BatchItem]) throws -> JSONValue {
        try JSONValue(
            encoding: Batch(
                sdk: SDKInfo(name: "vaka-swift", version: "0.1.0"), installID: id(255), sequence: 1, sentAt: time,
                items: items))
    }

    private static func id(_ number: Int) -> String {
        String(repeating: "0", count: 29) + String(1000 + number).suffix(3)
    }
    private static let time = Timestamp(milliseconds: 1_767_225_600_000)

    /// Without what is another each time.
    private static func steady(_ record: NetworkRequestEvent) -> NetworkRequestEvent {
        var record = record
        record.timestamp = time
        record.requestID = record.connectionID.map { $0 + "-1" } ?? record.requestID
        record.durationMilliseconds = record.durationMilliseconds.map { _ in 12.5 }
        return record
    }

    private static func capabilities() throws -> JSONValue {
        let setup = CaptureSetup()
        _ = setup.capture.registerWebSocket()
        let report = CapabilityReport(
            timestamp: time, session: id(1), release: "app@1.0", environment: "test",
            capabilities: setup.capture.transportCapabilities() + setup.capture.navigation.hostIntegrationCapabilities()
        )
        return try batch([BatchItem(kind: .capabilities, id: id(0), payload: try JSONValue(encoding: report))])
    }

    private static func urlSession(isFull: Bool) -> MemorySink {
        let setup = CaptureSetup()
        setup.capture.options.capturesHeaders = isFull
        setup.capture.options.capturesBodies = isFull
        setup.capture.options.maxBodyBytes = 8192
        var facts = ExchangeFacts(
            url: "https://api.example/orders?token=secret", method: "POST",
            headers: ["Authorization": "Bearer secret", "Accept": "application/json"])
        facts.bodySize = 12
        facts.body = { Array(#"{"amount":1}"#.utf8) }
        facts.metadata["task"] = "data"
        setup.recorder.didStart("request-1", facts)
        setup.recorder.didReceiveResponse(
            "request-1",
            AnswerFacts(
                statusCode: 201, headers: ["Set-Cookie": "secret", "Content-Type": "application/json"],
                contentType: "application/json"))
        setup.recorder.didReceiveBody("request-1", Array(repeating: 0x61, count: 40_000))
        setup.recorder.didComplete("request-1")
        return setup.sink
    }

    /// Every property has a value.
    private static func failure() -> MemorySink {
        let setup = CaptureSetup()
        setup.capture.options.capturesHeaders = true
        setup.capture.options.capturesBodies = true
        setup.capture.options.maxBodyBytes = 8
        var record = NetworkRequestEvent(
            timestamp: time, url: "https://api.example/orders", method: "PUT", requestID: "request-2")
        record.connectionID = "connection-1"
        record.direction = .receive
        record.protocolName = "https"
        record.metadata = ["phase": "failed", "fault_id": "slow", "fault_action": "error", "fault_outcome": "applied"]
        record.sequenceNumber = 1
        record.requestHeaders = ["Cookie": "secret"]
        record.requestBodySize = 5
        record.statusCode = 503
        record.responseHeaders = ["Retry-After": "1"]
        record.responseBodySize = 3
        record.durationMilliseconds = 12.5
        record.error = "fault:slow:error"
        record.requestBody = "hello"
        record.responseBody = "bad"
        record.contentType = "text/plain"
        setup.capture.recordRequest(record)
        return setup.sink
    }

    private static func webSocket() -> MemorySink {
        let setup = CaptureSetup()
        let adapter = setup.capture.registerWebSocket()
        let socket = FakeWebSocket()
        socket.state.withLock { $0.toReceive = [.text("welcome")] }
        adapter.didOpen(socket.address, connectionId: "chat", status: 101)
        adapter.send(.text("hello"), on: socket, connectionId: "chat") { _ in }
        adapter.receive(on: socket, connectionId: "chat") { _ in }
        adapter.didClose(connectionId: "chat", code: 1000)
        return setup.sink
    }

    private static func socket() -> MemorySink {
        let setup = CaptureSetup()
        let adapter = setup.capture.registerSocket()
        adapter.didStart("db.example:5432", connectionId: "db")
        adapter.forward(.ready, connectionId: "db")
        adapter.didSend(30, connectionId: "db")
        adapter.didReceive(700, connectionId: "db")
        adapter.forward(.failed(104), connectionId: "db")
        return setup.sink
    }
}
