import Delivery
import FoundationEssentials
// SPDX-License-Identifier: Apache-2.0
import HTTPClient
import TestSupport
import Testing
import VakaModel

@testable import ServiceClient

@Suite struct ReportSubmitterTests {
    let clock = SleepingClock()

    func submitter(_ server: ScriptedServer, bound: Duration = .seconds(60)) throws -> ReportSubmitter {
        ReportSubmitter(
            endpoint: try ServiceEndpoint(url: server.url), key: "vk_test",
            sdk: SDKInfo(name: "vaka-command", version: "1"),
            installID: "0123456789abcdef", retry: clock.policy(bound: bound))
    }

    @Test func aBatchHasTheShapeOfTheContract() throws {
        let server = try ScriptedServer()
        let reply = try submitter(server).submit(events: [sampleCrash()])
        #expect(reply == IngestReply(accepted: 1))

        let request = try #require(try server.requests().first)
        #expect(request.method == "POST")
        #expect(request.path == "/api/v1/ingest")
        #expect(request.headers["authorization"] == "Bearer vk_test")
        #expect(request.encoding == "gzip")
        #expect(request.headers["content-type"] == "application/json")
        #expect(
            Set(request.body.object?.keys.map { $0 } ?? [])
                == ["schema_version", "sdk", "install_id", "sequence", "sent_at", "items"])
        #expect(request.body["schema_version"] == 1)
        #expect(request.body["sdk"] == ["name": "vaka-command", "version": "1"])
        #expect(request.items.map { $0["kind"] } == ["event", "session"])
        let event = try #require(request.items.first)
        #expect(event["id"] == "00112233445566778899aabbccddeeff")
        #expect(event["payload"]?["event_id"] == event["id"])
        #expect(event["payload"]?["session"]?["status"] == "crashed")
        #expect(request.items[1]["payload"]?["duration"] == 5)
    }

    @Test func onlyPointedImagesAreSent() throws {
        let server = try ScriptedServer()
        _ = try submitter(server).submit(events: [sampleCrash()])
        let payload = try #require(try server.requests().first?.items.first?["payload"])
        let event = try ModelCoding.decode(Event.self, from: ModelCoding.encode(payload))
        #expect(event.debugImages.map(\.codeFile) == ["/app"])
    }

    @Test func tooLargeABatchIsDividedAndTooLargeAnItemSheds() throws {
        let server = try ScriptedServer(default: .init(bytesLimit: 6000))
        let events = [sampleCrash("01"), sampleCrash("02", stackBytes: 9000, breadcrumbs: 20)]
        let reply = try submitter(server).submit(events: events)
        #expect(reply.accepted == 2)

        let last = try #require(try server.requests().flatMap(\.items).last { $0["id"] == "02" }?["payload"])
        let sent = try ModelCoding.decode(Event.self, from: ModelCoding.encode(last))
        #expect(sent.threads.count == 2)
        #expect(sent.threads.allSatisfy { $0.stack == nil })
        #expect(sent.threads.first?.registers == ["rip": HexAddress(0x5000)])
        #expect(sent.breadcrumbs == events[1].breadcrumbs)
        #expect(sent.loss.map(\.what) == ["stack slices of 1 other threads", "stack slice of the crashed thread"])
    }

    @Test func breadcrumbsGoOldestFirstAndOnlyAfterTheStacks() throws {
        let server = try ScriptedServer(default: .init(bytesLimit: 3000))
        let event = sampleCrash(stackBytes: 9000, breadcrumbs: 20)
        _ = try submitter(server).submit(events: [event])
        let last = try #require(
            try server.requests().flatMap(\.items).last { $0["kind"] == "event" }?["payload"])
        let sent = try ModelCoding.decode(Event.self, from: ModelCoding.encode(last))
        #expect(!sent.breadcrumbs.isEmpty && sent.breadcrumbs.count < 20)
        #expect(sent.breadcrumbs == Array(event.breadcrumbs.suffix(sent.breadcrumbs.count)))
        #expect(sent.loss.contains { $0.what == "the 10 oldest of 20 breadcrumbs" })
    }

    @Test func anItemThatCannotShedEnoughIsAnError() throws {
        let server = try ScriptedServer(default: .init(bytesLimit: 100))
        let error = #expect(throws: ServiceError.self) { try submitter(server).submit(events: [sampleCrash()]) }
        #expect(error?.code == .tooLarge)
        #expect(error?.serverCode == "too_large")
        #expect(error?.message.contains("send less") == true)
    }

    @Test func whatMayPassIsTriedAgain() throws {
        let server = try ScriptedServer(answers: [
            .init(status: 500), .init(cut: true), .init(status: 429, headers: ["Retry-After": "17"]),
        ])
        let reply = try submitter(server).submit(events: [sampleCrash()])
        #expect(reply.accepted == 1)
        #expect(try server.requests().count == 4)
        #expect(clock.naps.count == 3)
        #expect(clock.naps[2] >= .seconds(17))
    }

    @Test func tryingEndsWithinTheBound() throws {
        let server = try ScriptedServer(default: .init(status: 503))
        let error = #expect(throws: ServiceError.self) { try submitter(server).submit(events: [sampleCrash()]) }
        #expect(error?.code == .serverFailed)
        #expect(error?.status == 503)
        #expect(clock.uptime < .seconds(60))
        #expect(try server.requests().count == clock.naps.count + 1)
    }

    @Test func aLongRetryAfterEndsTheTryingAtOnce() throws {
        let server = try ScriptedServer(default: .init(status: 429, headers: ["Retry-After": "3600"]))
        let error = #expect(throws: ServiceError.self) { try submitter(server).submit(events: [sampleCrash()]) }
        #expect(error?.code == .limited)
        #expect(clock.naps.isEmpty)
    }

    @Test func aRefusedKeyIsSaidInTheServersWords() throws {
        let body: JSONValue = [
            "error": ["code": "unauthorized", "message": "this key is unknown; take one of the page"]
        ]
        let server = try ScriptedServer(default: .init(status: 401, body: body))
        let error = #expect(throws: ServiceError.self) { try submitter(server).submit(events: [sampleCrash()]) }
        #expect(error?.code == .unauthorized)
        #expect(error?.message.contains("this key is unknown; take one of the page (unauthorized)") == true)
        #expect(try server.requests().count == 1)
    }

    @Test(arguments: ["", "vk_a\r\nX-Other: 1", "vk a"]) func aKeyThatIsNoneIsNotSent(key: String) throws {
        let server = try ScriptedServer()
        let submitter = ReportSubmitter(
            endpoint: try ServiceEndpoint(url: server.url), key: key, sdk: SDKInfo(name: "a", version: "1"),
            installID: "b", retry: clock.policy())
        let error = #expect(throws: ServiceError.self) { try submitter.submit(events: [sampleCrash()]) }
        #expect(error?.code == .unauthorized)
        #expect(try server.requests().isEmpty)
    }

    @Test func nothingListening() throws {
        let server = try ScriptedServer()
        let submitter = try submitter(server, bound: .seconds(5))
        server.stop()
        let error = #expect(throws: ServiceError.self) { try submitter.submit(events: [sampleCrash()]) }
        #expect(error?.code == .unreachable)
    }

    @Test func anotherServerIsRecognised() throws {
        let server = try ScriptedServer(default: .init(status: 200, body: "<html>welcome</html>"))
        let error = #expect(throws: ServiceError.self) { try submitter(server).submit(events: [sampleCrash()]) }
        #expect(error?.code == .badAnswer)
    }

    @Test func redirectsAreNotFollowed() throws {
        let other = try ScriptedServer()
        let server = try ScriptedServer(default: .init(status: 302, headers: ["Location": other.url + "/"]))
        let error = #expect(throws: ServiceError.self) { try submitter(server).submit(events: [sampleCrash()]) }
        #expect(error?.code == .badAnswer)
        #expect(try other.requests().isEmpty)
    }

    @Test func rejectionsSpeakOfTheEvents() throws {
        let body: JSONValue = [
            "accepted": 2,
            "rejected": .array([
                ["index": 2, "code": "schema_version", "reason": "too new"], ["index": 1, "code": "x", "reason": "y"],
            ]),
        ]
        let server = try ScriptedServer(default: .init(status: 202, body: body))
        let reply = try submitter(server).submit(events: [sampleCrash("01"), sampleCrash("02")])
        #expect(reply.rejected == [.init(index: 1, code: "schema_version", reason: "too new")])
        #expect(reply.accepted == 1)
    }
}
