// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel
import VakaObservation

/// A web view's bridge, with a page whose words the test says.
@Suite struct WebViewTests: WebViewSuite {
    // MARK: Registering

    @Test func webViewsAreListedInTheOrderOfTheirRegistration() throws {
        let registry = WebViewRegistry()
        #expect(registry.state.webViews.isEmpty)
        let names = ["z", "a", "m"]
        for name in names {
            registry.register(
                WebViewBridge(
                    webViewId: name,
                    policy: WebViewPolicy(allowedOrigins: ["https://z.example", "http://a.example:80"])))
        }
        #expect(registry.state.webViews.map(\.webViewId) == names)
        #expect(registry.state.webViews[0].allowedOrigins == ["http://a.example", "https://z.example"])
        #expect(throws: ObservationFailure.bridgeUnavailable) { try registry.snapshot("q") }
        #expect(throws: ObservationFailure.noSnapshot) { try registry.snapshot(nil) }
    }

    // MARK: Snapshots

    @Test func theReplyHasTheSnapshotAndTheWebViews() async throws {
        let registry = WebViewRegistry()
        let bridge = bridge()
        registry.register(bridge)
        #expect(try await post(bridge) == .taken)
        let reply = try registry.snapshot(nil)
        #expect(reply.webViewId == "basket" && reply.webViews == registry.state.webViews)
        #expect(reply.snapshot.url == Self.origin + "/cart" && reply.snapshot.origin == Self.origin)
        #expect(reply.snapshot.documentId == "d1" && reply.snapshot.elements.map(\.id) == ["e1"])
        let text = String(decoding: try ModelCoding.encode(reply), as: UTF8.self)
        #expect(!text.contains("s3cret") && !text.contains("frag"))
    }

    @Test func nothingUnredactedLeavesTheBridge() async throws {
        let bridge = bridge(redactText: true)
        try await post(
            bridge, [Self.element("e1", ["value": .string(ShopHost.secret)]), Self.element("e2", ["value": ""])])
        let snapshot = try bridge.snapshot()
        #expect(snapshot.elements[0].value == nil && snapshot.elements[0].redacted == true)
        #expect(snapshot.elements[1].redacted == nil)
        let open = self.bridge()
        try await post(
            open,
            [
                Self.element("e1", ["value": .string(ShopHost.secret), "inputType": "Password"]),
                Self.element("e2", ["value": .string(ShopHost.secret), "redacted": .bool(true)]),
                Self.element("e3", ["value": "shoes"]),
            ])
        let text = String(decoding: try ModelCoding.encode(try open.snapshot()), as: UTF8.self)
        #expect(!text.contains(ShopHost.secret))
        #expect(try open.snapshot().elements[2].value == "shoes")
    }

    @Test func aSnapshotIsBoundedByThePolicy() async throws {
        let bridge = bridge(maxElements: 3)
        try await post(bridge, (0..<9).map { Self.element("e\($0)") })
        #expect(try bridge.snapshot().elements.count == 3)
        #expect(try bridge.snapshot().truncated == true)
    }

    @Test func aMessageThatIsTooLargeIsAFailureUntilTheNext() async throws {
        let bridge = bridge(maxMessageBytes: 2000)
        let large = [Self.element("e1", ["label": .string(String(repeating: "x", count: 2000))])]
        #expect(try await post(bridge, large) == .tooLarge)
        #expect(throws: ObservationFailure.messageTooLarge) { try bridge.snapshot() }
        try await post(bridge)
        #expect(try bridge.snapshot().elements.count == 1)
    }

    @Test func onlyTheMainFrameSpeaks() async throws {
        let bridge = bridge()
        let framed = try message("snapshot", ["mainFrame": .bool(false), "elements": []])
        #expect(await bridge.receive(framed, origin: Self.origin) == .refused)
        let whole = try message("snapshot", ["elements": []])
        #expect(await bridge.receive(whole, origin: Self.origin, isMainFrame: false) == .refused)
        #expect(throws: ObservationFailure.noSnapshot) { try bridge.snapshot() }
    }

    @Test(arguments: ["", "{}", "[]", "nonsense", #"{"kind":"run"}"#])
    func whatIsNoMessageIsRefused(text: String) async {
        #expect(await bridge().receive(Array(text.utf8), origin: Self.origin) == .refused)
    }

    @Test(arguments: [nil, "null", "https://evil.example", "http://shop.example", "https://shop.example.evil"])
    func otherOriginsAreNotAllowed(origin: String?) async throws {
        let bridge = bridge()
        try await post(bridge)
        let snapshot = try bridge.snapshot().snapshotId
        let url = (origin ?? "https://evil.example") + "/"
        let bytes = try message("snapshot", document: "d2", url: url, ["elements": []])
        #expect(await bridge.receive(bytes, origin: origin) == .disallowedOrigin)
        #expect(throws: ObservationFailure.disallowedOrigin) { try bridge.snapshot() }
        #expect(try await click(bridge, snapshot) == .rejected(.disallowedOrigin))
    }

    /// The header is the browser's, the address the page's own word.
    @Test func anAddressOfAnotherOriginThanTheSendersIsNotAllowed() async throws {
        let bytes = try message("snapshot", url: "https://evil.example/", ["elements": []])
        #expect(await bridge().receive(bytes, origin: Self.origin) == .disallowedOrigin)
    }

    // MARK: Navigations

    @Test func everyCommittedNavigationDiscardsTheSnapshots() async throws {
        let bridge = bridge()
        try await post(bridge)
        let snapshot = try bridge.snapshot().snapshotId
        // A reload, too.
        bridge.didCommitNavigation(to: Self.origin + "/cart")
        #expect(throws: ObservationFailure.noSnapshot) { try bridge.snapshot() }
        #expect(try await click(bridge, snapshot) == .rejected(.staleSnapshot))
        // What the document before still says counts no more.
        #expect(try await post(bridge) == .gone)
        #expect(throws: ObservationFailure.noSnapshot) { try bridge.snapshot() }
        #expect(try await post(bridge, document: "d2") == .taken)
        #expect(try bridge.snapshot().documentId == "d2")
        bridge.didCommitNavigation(to: "https://elsewhere.example/")
        #expect(throws: ObservationFailure.disallowedOrigin) { try bridge.snapshot() }
        #expect(bridge.viewState.url == "https://elsewhere.example/")
    }

    @Test func anotherDocumentsWordIsANavigation() async throws {
        let bridge = bridge()
        try await post(bridge)
        let before = try bridge.snapshot().snapshotId
        try await post(bridge, document: "d2")
        #expect(try await click(bridge, before) == .rejected(.staleSnapshot))
        #expect(await bridge.receive(try message("bye", document: "d2"), origin: Self.origin) == .taken)
        #expect(throws: ObservationFailure.noSnapshot) { try bridge.snapshot() }
    }

    @Test func aProcessThatEndedIsUnavailableUntilThePageIsLoadedAgain() async throws {
        let bridge = bridge()
        try await post(bridge)
        let snapshot = try bridge.snapshot().snapshotId
        bridge.contentProcessDidTerminate()
        #expect(!bridge.viewState.contentProcessAvailable)
        #expect(throws: ObservationFailure.webProcessUnavailable) { try bridge.snapshot() }
        #expect(try await click(bridge, snapshot) == .rejected(.webProcessUnavailable))
        bridge.didCommitNavigation(to: Self.origin + "/")
        #expect(bridge.viewState.contentProcessAvailable)
        #expect(throws: ObservationFailure.noSnapshot) { try bridge.snapshot() }
        bridge.detach()
        #expect(try await click(bridge, snapshot) == .rejected(.webProcessUnavailable))
        #expect(try await post(bridge, document: "d3") == .gone)
    }

    // MARK: Routes

    @Test func theRoutesOfWebViews() async throws {
        let shop = try ServedShop()
        let bridge = bridge(maxMessageBytes: 1500)
        shop.webViews.register(bridge)
        func ask(_ path: String, _ body: String) throws -> (Int, JSONValue?) {
            let answer = try shop.http.send("POST", path, headers: shop.authorization, body: Data(body.utf8))
            let document = try ModelCoding.decode(JSONValue.self, from: answer.body)
            return (answer.status, document["error"]?["code"] ?? document["reason"] ?? document["webViewId"])
        }
        #expect(try ask("/webview/snapshot", "") == (409, "no_snapshot"))
        try await post(bridge)
        #expect(try ask("/webview/snapshot", "{}") == (200, "basket"))
        #expect(try ask("/webview/snapshot", #"{"webViewId":"other"}"#) == (503, "bridge_unavailable"))
        let click = #""actionJson":"{\"click\":{\"snapshotId\":\"s\",\"elementId\":\"e\"}}""#
        #expect(try ask("/webview/action", #"{"webViewId":"basket",\#(click)}"#) == (200, "stale_snapshot"))
        #expect(try ask("/webview/action", "{\(click)}") == (400, "bad_request"))
        let script = #"{"webViewId":"basket","actionJson":"{\"evaluate\":{}}"}"#
        #expect(try ask("/webview/action", script) == (400, "bad_request"))
        let long = #"{"webViewId":"basket","x":"\#(String(repeating: "x", count: 1500))",\#(click)}"#
        #expect(try ask("/webview/action", long) == (413, "message_too_large"))
    }

    @Test func aPageReachesOnlyItsOwnWebView() throws {
        let shop = try ServedShop()
        let bridge = bridge()
        shop.webViews.register(bridge)
        let script = try #require(bridge.pageScript(server: shop.server))
        let path = try #require(script.split(separator: "\"").first { $0.contains("/webview/page/") })
            .dropFirst(shop.url.count)
        let headers = ["Origin": Self.origin]
        let body = Data(try message("snapshot", ["elements": []]))
        let taken = try shop.http.send("POST", String(path), headers: headers, body: body)
        #expect(taken.status == 204 && taken.headers["access-control-allow-origin"] == Self.origin)
        let evil = try shop.http.send("POST", String(path), headers: ["Origin": "https://evil.example"], body: body)
        #expect(evil.status == 403 && evil.headers["access-control-allow-origin"] == nil)
        #expect(try shop.http.send("POST", "/webview/page/x", headers: headers, body: body).status == 404)
        #expect(try shop.http.send("OPTIONS", String(path), headers: headers).status == 204)
        // Its token opens nothing else.
        let token = path.split(separator: "/").last ?? ""
        let answer = try shop.http.send("GET", "/health", headers: ["Authorization": "Bearer \(token)"])
        #expect(answer.status == 401 && !script.contains(shop.server.token))
    }

    @Test(arguments: [
        ("https://User:pw@Shop.Example:443/a/b?q#f", "https://shop.example", "https://shop.example/a/b"),
        ("http://[::1]:8080/", "http://[::1]:8080", "http://[::1]:8080/"),
        ("http://a.example:80", "http://a.example", "http://a.example"),
        ("HTTP://a.example:x/", nil, "http:"), ("file:///etc/passwd", nil, "file:"),
        ("https://a.example@evil.example/", "https://evil.example", "https://evil.example/"),
        ("https://evil.example\\@a.example/", "https://evil.example", "https://evil.example\\@a.example/"),
        ("javascript:alert(1)", nil, "javascript:"), ("nonsense", nil, ""), ("https:///x", nil, "https:"),
    ])
    func originsAreThoseOfBrowsers(url: String, origin: String?, plain: String) {
        #expect(WebOrigin.of(url) == origin)
        #expect(WebOrigin.withoutSecrets(url) == plain)
    }
}
