// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import ObservationClient
import TestSupport
import Testing
import VakaModel
import VakaObservation

/// What clients see of both sides.
@Suite struct MergeTests {
    private static let web = ElementBounds(x: 10, y: 100, width: 200, height: 400)

    private func leaf(
        _ y: Double, label: String? = nil, id: String? = nil, text: String? = nil, role: ElementRole = .button
    ) -> ScreenNode {
        ScreenNode(bounds: ShopHost.at(y), resourceId: id, contentDescription: label, text: text, role: role)
    }

    // MARK: The bridge

    @Test func theBridgeGoesUnderTheProgramsNodeAndTheRestStays() throws {
        let keyboard = leaf(700, label: "Q", role: .keyboard)
        let alert = leaf(600, label: "Allow")
        let setup = try DriverSetup(fallback: [keyboard, alert])
        let screen = try setup.driver.observe()
        #expect(screen.backend == .sdk && screen.fallbackReason == nil)
        #expect(screen.root.children.prefix(2) == [keyboard, alert])
        let application = try #require(screen.root.children.last)
        let bought = try #require(application.children.first { $0.resourceId == "buy" })
        #expect(bought.testTag == "buy" && bought.contentDescription == "Buy" && bought.role == .button)
        #expect(bought.clickable && bought.source == .bridge)
        #expect(bought.bridge?.elementId == "buy" && bought.bridge?.capture == screen.captureIdentity)
        let search = try #require(application.all.first { $0.resourceId == "search" })
        #expect(search.text == "shoes")
        let off = try #require(application.all.first { $0.resourceId == "sold-out" })
        #expect(!off.clickable && !off.enabled)
        // Only what is visible.
        #expect(!application.all.contains { ["hidden", "flat", "away", "within-away"].contains($0.resourceId) })
    }

    @Test func leavesThatTheBridgeToldOfAreRemoved() throws {
        let setup = try DriverSetup(inApplication: [
            leaf(150, label: "Buy"), leaf(150, id: "buy"), leaf(150, label: "Other"), leaf(151, label: "Buy"),
            leaf(150.4, label: "Buy"),
        ])
        let application = try #require(try setup.driver.observe().root.children.last)
        let kept = application.children.filter { $0.source == nil }
        // Other bounds, or neither its label nor its id.
        #expect(kept == [leaf(150, label: "Other"), leaf(151, label: "Buy")])
    }

    @Test(arguments: [CoordinateSpace.window, .view, CoordinateSpace(rawValue: "mars")])
    func otherCoordinatesAreNotMixedIn(space: CoordinateSpace) throws {
        let setup = try DriverSetup(ShopHost(space: space), inApplication: [leaf(1, label: "Native")])
        let screen = try setup.driver.observe()
        #expect(screen.root == setup.fallback.root)
        #expect(screen.backend == .fallback && screen.fallbackReason == .unavailable)
    }

    @Test func aRegisteredBridgeThatDoesNotAnswerIsAFallback() throws {
        let setup = try DriverSetup(inApplication: [leaf(1, label: "Native")])
        setup.shop.host.change { $0.isActive = false }
        let screen = try setup.driver.observe()
        #expect(screen.root == setup.fallback.root)
        #expect(screen.backend == .fallback && screen.fallbackReason == .unavailable)
    }

    @Test func withoutARegisteredBridgeNeitherIsReported() throws {
        let setup = try DriverSetup(actions: nil)
        let screen = try setup.driver.observe()
        #expect(screen.root == setup.fallback.root && screen.backend == nil && screen.fallbackReason == nil)
        // A failed probe reports neither, too.
        let driver = ScreenDriver(client: ObservationClient(.socket(path: "/nothing")), fallback: setup.fallback)
        #expect(try driver.observe().backend == nil)
    }

    @Test func withoutAFallbackTheBridgeIsAllThereIs() throws {
        let shop = try ServedShop(ShopHost(space: .window))
        let screen = try ScreenDriver(client: shop.client).observe()
        #expect(screen.backend == .sdk && screen.root.all.contains { $0.resourceId == "buy" })
        shop.server.stop()
        #expect(throws: DriverError.self) { try ScreenDriver(client: shop.client).observe() }
    }

    // MARK: A page

    private func setup(_ leaves: [ScreenNode] = [], views: Int = 1) throws -> DriverSetup {
        let view = ScreenNode(bounds: Self.web, role: .webView, children: leaves)
        return try DriverSetup(actions: nil, fallback: Array(repeating: view, count: views))
    }

    @Test func elementsOfThePageLieInItsWebView() async throws {
        let setup = try setup()
        let page = SaidPage(setup.shop)
        try await page.post([
            SaidPage.element("e1", label: "Pay", y: 10),
            SaidPage.element("e2", role: "input", value: "red", inputType: "search", y: 40),
            SaidPage.element("e3", role: "input", inputType: "checkbox", y: 60),
            SaidPage.element("e4", role: "textarea", y: 80, redacted: true),
            SaidPage.element("e5", role: "input", y: 100), SaidPage.element("gone", y: 120, visible: false),
            SaidPage.element("below", y: 400), SaidPage.element("half", y: 390.5, height: 40),
            SaidPage.element("twin", y: 140), SaidPage.element("twin", y: 160),
        ])
        let screen = try setup.driver.observe()
        #expect(screen.backend == .sdk && screen.captureIdentity == nil)
        let view = screen.root.children[0]
        #expect(view.children.compactMap { $0.web?.elementId } == ["e1", "e2", "e3", "e4", "e5", "half"])
        let pay = view.children[0]
        #expect(pay.bounds == ElementBounds(x: 10, y: 110, width: 100, height: 20) && pay.clickable)
        #expect(pay.contentDescription == "Pay" && pay.source == .webBridge && pay.web?.origin == page.origin)
        #expect(pay.web?.webViewId == "basket" && pay.web?.documentId == "d1")
        #expect(try pay.web?.snapshotId == page.bridge.snapshot().snapshotId)
        #expect(
            view.children.map(\.role.rawValue) == ["button", "textfield", "input", "textfield", "textfield", "button"])
        #expect(view.children[1].text == "red" && view.children[1].valueRedacted == nil)
        #expect(view.children[3].text == nil && view.children[3].valueRedacted == true)
        // Clipped to the view, and cut to whole points.
        #expect(view.children[5].bounds == ElementBounds(x: 10, y: 490, width: 100, height: 9))
    }

    @Test func theViewportSpansTheWebViewsWidth() async throws {
        let setup = try setup()
        let page = SaidPage(setup.shop)
        // Pinched to twice its size, and panned by 50 and 20.
        try await page.post(
            [SaidPage.element("e1", y: 30, height: 10, x: 60, width: 20)],
            viewport: WebViewport(x: 50, y: 20, width: 100, height: 200))
        let view = try setup.driver.observe().root.children[0]
        #expect(view.children.map(\.bounds) == [ElementBounds(x: 30, y: 120, width: 40, height: 20)])
    }

    @Test func ambiguousPairsAreNotMerged() async throws {
        for (views, registered) in [(2, 1), (1, 2), (0, 1)] {
            let setup = try setup(views: views)
            for number in 0..<registered {
                try await SaidPage(setup.shop, webViewId: "v\(number)").post([SaidPage.element("e1")])
            }
            let screen = try setup.driver.observe()
            #expect(screen.root == setup.fallback.root && screen.backend == nil)
        }
    }

    @Test func aWebViewWithoutASnapshotKeepsItsNodes() throws {
        let setup = try setup([leaf(110, label: "Pay")])
        _ = SaidPage(setup.shop)
        #expect(try setup.driver.observe().root == setup.fallback.root)
    }

    @Test func aWebViewWithinAnotherIsNoSecondOne() async throws {
        let inner = ScreenNode(bounds: Self.web, role: .webView)
        let setup = try setup([inner])
        try await SaidPage(setup.shop).post([SaidPage.element("e1")])
        #expect(try setup.driver.observe().root.children[0].children.contains { $0.web?.elementId == "e1" })
    }

    /// A host may tell of its own web view: with what the fallback shows of it, that is one and not two.
    @Test(arguments: ["holds", "empty", "same"])
    func aWebViewThatTheBridgeTellsOfIsNoSecondOne(shown: String) async throws {
        let told = Element(id: "page", role: .webView, label: "Page", bounds: Self.web)
        var view = ScreenNode(
            bounds: Self.web, contentDescription: shown == "same" ? "Page" : "Web content", role: .webView)
        if shown == "holds" { view.children = [leaf(450, label: "Native")] }
        let setup = try DriverSetup(ShopHost([told]), inApplication: [view])
        let page = SaidPage(setup.shop)
        try await page.post([
            SaidPage.element("pay", label: "Pay", y: 10), SaidPage.element("far", label: "Sizes", y: 5000),
        ])
        let obeying = page.obey { command in
            if command == "scrollIntoView far" {
                try await page.post([SaidPage.element("far", label: "Sizes", y: 50)])
            }
            return true
        }
        let screen = try setup.driver.observe()
        let application = try #require(screen.root.children.last)
        #expect(application.children[0].children.contains { $0.web?.elementId == "pay" })
        #expect(screen.root.all.filter { $0.web != nil }.count == 1)
        // Where the two are one by name, too, taps on it go to the bridge as ever.
        #expect((application.children[0].bridge?.elementId == "page") == (shown == "same"))
        #expect(try setup.driver.tapOn(ScreenSelector(text: "Pay")).backend == .sdk)
        let stroke = Stroke(from: ScreenPoint(x: 1, y: 9), to: ScreenPoint(x: 1, y: 1))
        let found = try setup.driver.lookFor(ScreenSelector(text: "Sizes"), swiping: stroke)
        #expect(found.swipes == 0 && found.node.web?.elementId == "far" && setup.fallback.done.isEmpty)
        page.bridge.detach()
        try await obeying.value
    }

    /// The fallback sees whether a web view is on the screen; without one the bridge's word is all there is.
    @Test func onlyWhatTheFallbackShowsIsPairedWithAPage() async throws {
        let told = Element(id: "page", role: .webView, label: "Page", bounds: Self.web)
        let setup = try DriverSetup(ShopHost([told]))
        try await SaidPage(setup.shop).post([SaidPage.element("pay", label: "Pay")])
        #expect(try !setup.driver.observe().root.all.contains { $0.web != nil })
        let alone = try ScreenDriver(client: setup.shop.client).observe()
        let view = try #require(alone.root.all.first { $0.resourceId == "page" })
        #expect(view.children.map { $0.web?.elementId } == ["pay"])
    }

    @Test func leavesThatThePageToldOfAreReplacedInTheirPlace() async throws {
        func at(_ y: Double) -> ElementBounds { ElementBounds(x: 10, y: 100 + y, width: 100, height: 20) }
        var native = ScreenNode(
            bounds: at(0), resourceId: "native-pay", contentDescription: "Pay", role: .toggle, clickable: true,
            focused: true)
        let field = ScreenNode(bounds: at(20), resourceId: "e2", text: "fresh", role: .textField)
        let wrapped = ScreenNode(bounds: at(40), contentDescription: "Both", role: .button)
        let torn = ScreenNode(bounds: at(60), contentDescription: "Left", text: "Right", role: .button)
        let other = ScreenNode(bounds: at(80), contentDescription: "Other", role: .button)
        let form = ScreenNode(
            bounds: Self.web, resourceId: "form", role: .group, children: [native, field, wrapped, torn, other])
        let setup = try setup([form])
        try await SaidPage(setup.shop).post([
            SaidPage.element("e1", label: "Pay", value: "old"),
            SaidPage.element("e2", role: "input", label: "Search", y: 20, focused: true, redacted: true),
            SaidPage.element("e3", label: "Both", y: 40), SaidPage.element("e4", label: "Both", y: 40),
            SaidPage.element("e5", label: "Left", y: 60), SaidPage.element("e6", value: "Right", y: 60),
            SaidPage.element("e7", label: "Another", y: 80),
        ])
        let view = try setup.driver.observe().root.children[0]
        let merged = view.children[0].children
        #expect(merged.map { $0.web?.elementId } == ["e1", "e2", nil, nil, nil])
        // What the leaf reports wins; the page adds who it is, and what the leaf does not report.
        native.text = "old"
        native.web = merged[0].web
        native.source = .webBridge
        #expect(merged[0] == native)
        #expect(merged[1].text == "fresh" && merged[1].contentDescription == "Search" && !merged[1].focused)
        #expect(merged[1].valueRedacted == nil)
        #expect(merged[2...] == [wrapped, torn, other])
        #expect(view.children.dropFirst().compactMap { $0.web?.elementId } == ["e3", "e4", "e5", "e6", "e7"])
        // Selectors within a container find it there.
        #expect(ScreenSelector(text: "PAY", container: "form").find(in: view)?.web?.elementId == "e1")
    }

    @Test func aReplyThatCannotBeReadIsLogged() async throws {
        let setup = try setup()
        let health = try ModelCoding.decode(
            JSONValue.self,
            from: ModelCoding.encode(
                ObservationHealth(
                    program: ObservationHealth.Program(name: "p", pid: 1),
                    observationBridge: .unavailable(.notRegistered),
                    webViewBridge: WebViewBridgeState([
                        WebViewState(webViewId: "v", url: nil, allowedOrigins: [], contentProcessAvailable: true)
                    ]))))
        let server = try ScriptedServer(default: ScriptedServer.Answer(status: 200, body: health))
        let driver = ScreenDriver(
            client: ObservationClient(.loopback(port: UInt16(server.port), token: "t")), fallback: setup.fallback)
        var said: [String] = []
        driver.log = { said.append($0) }
        #expect(try driver.observe().root == setup.fallback.root)
        #expect(said.count == 1)
    }
}
