// SPDX-License-Identifier: Apache-2.0
import CLinux
import FoundationEssentials
import Glibc
import ObservationClient
import TestSupport
import Testing
import VakaModel
import VakaObservation

@Suite struct ClientTests {
    private func scripted(_ body: JSONValue?, status: Int = 200) throws -> (ScriptedServer, ObservationClient) {
        let server = try ScriptedServer(default: ScriptedServer.Answer(status: status, body: body))
        return (server, ObservationClient(.loopback(port: UInt16(server.port), token: "t")))
    }

    private func failure(_ work: () throws(ObservationRequestError) -> Void) -> ObservationFailure? {
        do throws(ObservationRequestError) {
            try work()
            return nil
        } catch {
            #expect(error.available == (error.failure != .bridgeUnavailable))
            return error.failure
        }
    }

    /// Nobody takes connections: the system lets others wait once its queue is full.
    @Test func aProgramThatStandsStillCostsItsTimeAndNoMore() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/still"
        let listener = vaka_listen_local(path)
        #expect(listener >= 0)
        defer { close(listener) }
        var waiting: [Int32] = []
        defer { for descriptor in waiting { close(descriptor) } }
        while waiting.count < 100 {
            let next = vaka_connect_local(path, 1)
            guard next >= 0 else { break }
            waiting.append(next)
        }
        #expect(waiting.count < 100, "the queue never fills")
        let begun = ContinuousClock.now
        #expect(throws: (any Error).self) { try ObservationClient(.socket(path: path)).bridgeState() }
        #expect(ContinuousClock.now - begun < .seconds(30))
    }

    // MARK: Discovery

    @Test func anAvailableBridgeTellsItsVersionAndActions() throws {
        let shop = try ServedShop(actions: [.tap, .scroll, .insertText])
        let expected = BridgeAvailability.available(
            schemaVersion: 1, supportedActions: ["insertText", "scroll", "tap"])
        #expect(try shop.client.bridgeState() == expected)
        let endpoint = try #require(ObservationEndpoint(url: shop.url, token: shop.server.token))
        #expect(try ObservationClient(endpoint).bridgeState() == expected)
    }

    @Test func aProgramWithoutABridgeSaysSo() throws {
        let shop = try ServedShop(actions: nil)
        #expect(try shop.client.bridgeState() == .unavailable(.notRegistered))
    }

    @Test func nothingThereAndAnotherProgramAreUnavailable() throws {
        #expect(
            try ObservationClient(.socket(path: "/nothing/there")).bridgeState() == .unavailable(.sdkUnavailable))
        let shop = try ServedShop()
        var client = shop.client
        client.program = "bank"
        #expect(try client.bridgeState() == .unavailable(.sdkUnavailable))
        client.program = "shop"
        #expect(try client.bridgeState() != .unavailable(.sdkUnavailable))
        shop.server.stop()
        #expect(try client.bridgeState() == .unavailable(.sdkUnavailable))
    }

    @Test(arguments: [
        (#"{}"#, "SDK_TOO_OLD"), (#"{"observationBridge":null}"#, "SDK_TOO_OLD"),
        (#"{"observationBridge":7}"#, "MALFORMED_RESPONSE"), (#"{"observationBridge":{}}"#, "MALFORMED_RESPONSE"),
        (
            #"{"observationBridge":{"schemaVersion":1,"available":true,"reason":"UNKNOWN","supportedActions":[]}}"#,
            "MALFORMED_RESPONSE"
        ),
        (#"{"observationBridge":{"schemaVersion":1,"available":false,"supportedActions":[]}}"#, "MALFORMED_RESPONSE"),
        (
            #"{"observationBridge":{"schemaVersion":"1","available":false,"reason":"X","supportedActions":[]}}"#,
            "MALFORMED_RESPONSE"
        ),
        (
            #"{"observationBridge":{"schemaVersion":2,"available":false,"reason":"ON_FIRE","supportedActions":[]}}"#,
            "UNKNOWN"
        ),
        (#"[]"#, "MALFORMED_RESPONSE"),
    ])
    func repliesOfOtherVersionsAndMalformedOnes(body: String, reason: String) throws {
        let (server, client) = try scripted(ModelCoding.decode(JSONValue.self, from: Data(body.utf8)))
        defer { withExtendedLifetime(server) {} }
        #expect(try client.bridgeState() == .unavailable(ObservationUnavailability(rawValue: reason)))
        #expect(failure { () throws(ObservationRequestError) in _ = try client.snapshot() } == .bridgeUnavailable)
    }

    @Test func whatKnowsNoSuchRouteIsTooOld() throws {
        let (server, client) = try scripted([:], status: 404)
        defer { withExtendedLifetime(server) {} }
        #expect(try client.bridgeState() == .unavailable(.sdkTooOld))
    }

    @Test func aNewerVersionAndItsActionsAreTold() throws {
        let (server, client) = try scripted([
            "observationBridge": [
                "schemaVersion": 3, "available": .bool(true), "supportedActions": ["tap", "pinch", "tap"],
                "moods": ["good"],
            ]
        ])
        defer { withExtendedLifetime(server) {} }
        #expect(
            try client.bridgeState() == .available(schemaVersion: 3, supportedActions: ["pinch", "tap"]))
    }

    @Test func aMalformedBridgeDoesNotSpoilTheRestOfHealth() throws {
        let view: JSONValue = [
            "webViewId": "v", "allowedOrigins": [], "contentProcessAvailable": .bool(true),
        ]
        let (server, client) = try scripted([
            "observationBridge": "none", "webViewBridge": ["schemaVersion": 1, "webViews": [view]],
        ])
        defer { withExtendedLifetime(server) {} }
        #expect(try client.bridgeState() == .unavailable(.malformedResponse))
        #expect(try client.webViews().map(\.webViewId) == ["v"])
    }

    @Test func aProbeThatFailsIsNoMissingBridge() throws {
        let server = try ScriptedServer(default: ScriptedServer.Answer(delay: 30))
        let client = ObservationClient(.loopback(port: UInt16(server.port), token: "t"))
        #expect(throws: BridgeQueryError.self) { try client.bridgeState() }
        try server.setDefault(ScriptedServer.Answer(cut: true))
        #expect(throws: BridgeQueryError.self) { try client.bridgeState() }
        let shop = try ServedShop()
        let endpoint = try #require(ObservationEndpoint(url: shop.url, token: "wrong"))
        #expect(throws: BridgeQueryError.self) { try ObservationClient(endpoint).bridgeState() }
    }

    @Test(arguments: ["http://10.0.0.1:80", "https://127.0.0.1:80", "http://127.0.0.1", "http://127.0.0.1:0", ""])
    func aBridgeIsNotReachedOverANetwork(url: String) {
        #expect(ObservationEndpoint(url: url, token: "t") == nil)
    }

    // MARK: Requests

    @Test func aRejectionIsAResult() throws {
        let shop = try ServedShop()
        let snapshot = try shop.client.snapshot()
        let tap = ObservationAction.tap(observationIdentity: snapshot.captureIdentity, elementId: "buy")
        let result = try shop.client.perform(tap)
        #expect(result.success && shop.host.performed == [tap])
        #expect(try shop.client.perform(tap) == .rejected(.staleObservation))
        #expect(try shop.client.snapshot().captureIdentity.rawValue == (1 << 60) + 2)
    }

    @Test func withoutABridgeNothingIsSent() throws {
        let (server, client) = try scripted(
            ModelCoding.decode(
                JSONValue.self,
                from: ModelCoding.encode(
                    ObservationHealth(
                        program: ObservationHealth.Program(name: "p", pid: 1),
                        observationBridge: .unavailable(.notRegistered), webViewBridge: WebViewBridgeState([])))))
        defer { withExtendedLifetime(server) {} }
        #expect(failure { () throws(ObservationRequestError) in _ = try client.snapshot() } == .bridgeUnavailable)
        let action = #"{"tap":{"observationIdentity":"1","elementId":"a"}}"#
        #expect(
            failure { () throws(ObservationRequestError) in _ = try client.perform(actionJSON: action) }
                == .bridgeUnavailable)
        #expect(Set(try server.requests().map(\.path)) == ["/health"])
    }

    @Test(arguments: ["", "{}", "tap", #"{"tap":{"observationIdentity":7,"elementId":"a"}}"#])
    func whatIsNoActionIsNotSent(text: String) throws {
        let shop = try ServedShop()
        #expect(
            failure { () throws(ObservationRequestError) in _ = try shop.client.perform(actionJSON: text) }
                == .invalidAction)
        #expect(
            failure { () throws(ObservationRequestError) in
                _ = try shop.client.perform(webActionJSON: text, in: "v")
            } == .invalidAction)
    }

    @Test func theBackgroundIsAFailure() throws {
        let shop = try ServedShop()
        shop.host.change { $0.isActive = false }
        #expect(failure { () throws(ObservationRequestError) in _ = try shop.client.snapshot() } == .appNotActive)
    }

    /// Later than the client waits: the action may have been done, and so it was.
    @Test func aHostThatTakesTooLongIsABadReply() async throws {
        let shop = try ServedShop()
        let snapshot = try shop.client.snapshot()
        shop.host.change { $0.holdsActions = true }
        let action = ObservationAction.tap(observationIdentity: snapshot.captureIdentity, elementId: "buy")
        let client = shop.client
        let failed = failure { () throws(ObservationRequestError) in
            _ = try client.perform(action, within: .seconds(2))
        }
        #expect(failed == .badReply)
        shop.host.letGo()
        try await until { !shop.host.performed.isEmpty }
    }

    /// A request has one budget, with what has to be asked before it.
    @Test(arguments: [true, false]) func aSlowProbeTakesFromTheBudgetOfItsRequest(isWeb: Bool) throws {
        let view = WebViewState(webViewId: "v", url: nil, allowedOrigins: [], contentProcessAvailable: true)
        let health = try ModelCoding.decode(
            JSONValue.self,
            from: ModelCoding.encode(
                ObservationHealth(
                    program: ObservationHealth.Program(name: "p", pid: 1),
                    observationBridge: .available([.tap]), webViewBridge: WebViewBridgeState([view]))))
        let server = try ScriptedServer(
            answers: [ScriptedServer.Answer(status: 200, body: health, delay: 1.5)],
            default: ScriptedServer.Answer(delay: 60))
        defer { withExtendedLifetime(server) {} }
        let client = ObservationClient(.loopback(port: UInt16(server.port), token: "t"))
        let click = try #require(WebAction(.click, snapshotId: "s", elementId: "e"))
        let tap = #"{"tap":{"observationIdentity":"1","elementId":"e"}}"#
        let begun = ContinuousClock.now
        let failed = failure { () throws(ObservationRequestError) in
            if isWeb {
                _ = try client.perform(click, in: "v", within: .seconds(3))
            } else {
                _ = try client.perform(actionJSON: tap, within: .seconds(3))
            }
        }
        // A budget for each of the two would end after four and a half.
        #expect(failed == .badReply && ContinuousClock.now - begun < .milliseconds(4400))
    }

    @Test func anAnswerThatIsNotAsAgreedIsABadReply() throws {
        let health = try ModelCoding.decode(
            JSONValue.self,
            from: ModelCoding.encode(
                ObservationHealth(
                    program: ObservationHealth.Program(name: "p", pid: 1),
                    observationBridge: .available([.tap]), webViewBridge: WebViewBridgeState([]))))
        // Health is right, the rest is not.
        let answers: [ScriptedServer.Answer] = [
            ScriptedServer.Answer(status: 200, body: ["captureIdentity": 7]), ScriptedServer.Answer(status: 500),
            ScriptedServer.Answer(cut: true), ScriptedServer.Answer(status: 200, body: []),
        ]
        for answer in answers {
            let server = try ScriptedServer(answers: [ScriptedServer.Answer(status: 200, body: health), answer])
            let client = ObservationClient(.loopback(port: UInt16(server.port), token: "t"))
            #expect(failure { () throws(ObservationRequestError) in _ = try client.snapshot() } == .badReply)
        }
    }
}
