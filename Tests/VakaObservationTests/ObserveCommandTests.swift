// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel
import VakaObservation

/// `vaka observe` and `vaka act`, as a shell runs them.
@Suite struct ObserveCommandTests {
    private let shop: ServedShop

    init() throws { shop = try ServedShop() }

    private func vaka(_ arguments: String..., socket: Bool = true) throws -> ChildProcess.Result {
        try ChildProcess.run(
            BuildProducts.executable("vaka"), arguments,
            environment: [
                "VAKA_OBSERVATION_SOCKET": socket ? shop.socketPath : nil, "VAKA_OBSERVATION_URL": nil,
                "VAKA_OBSERVATION_TOKEN": nil,
            ])
    }

    @Test func theScreenIsPrinted() throws {
        let text = try vaka("observe")
        #expect(text.status == .exited(0) && text.errors.isEmpty)
        #expect(text.output.hasPrefix("observation \((1 << 60) as UInt64)  checkout  (screen 0,0 400×800)\n"))
        #expect(text.output.contains("\n  textfield search  10,50 200×40  \"Search\"  = \"shoes\"\n"))
        #expect(text.output.contains("\n  button sold-out  10,200 200×40  \"Notify\"  disabled\n"))
        #expect(text.output.contains("  list list") && text.output.contains("\n    listitem row"))
        #expect(text.output.contains("(withheld)") && !text.output.contains(ShopHost.secret))

        let json = try vaka("observe", "--format", "json")
        let snapshot = try ModelCoding.decode(ObservationSnapshot.self, from: json.outputData)
        #expect(snapshot.captureIdentity.rawValue == (1 << 60) + 1)
    }

    @Test func thePortDoesAsTheSocketDoes() throws {
        let shown = try vaka("observe", "--url", shop.url, "--token", shop.server.token, socket: false)
        #expect(shown.status == .exited(0) && shown.output.contains("button buy"))
        let refused = try vaka("observe", "--url", shop.url, "--token", "wrong", socket: false)
        #expect(refused.status == .exited(1) && refused.errors.contains("bad_reply"))
    }

    @Test func theStateIsPrinted() throws {
        let available = try vaka("observe", "--state")
        #expect(available.output == "available: clearText, insertText, longPress, scroll, swipe, tap\n")
        shop.registry.unregister()
        let none = try vaka("observe", "--state", "--format", "json")
        #expect(none.status == .exited(1) && none.errors.contains("NOT_REGISTERED"))
        let state = try ModelCoding.decode(JSONValue.self, from: none.outputData)
        #expect(state["available"] == .bool(false) && state["reason"] == "NOT_REGISTERED")
    }

    @Test func actionsAreDone() throws {
        let result = try vaka("act", "tap", "buy")
        #expect(result.status == .exited(0) && result.output == "done, observation \((1 << 60) + 1)\n")
        #expect(try vaka("act", "insert-text", "search", "red shoes").status == .exited(0))
        #expect(try vaka("act", "clear-text", "search").status == .exited(0))
        #expect(try vaka("act", "scroll", "list", "--", "0", "-40.5").status == .exited(0))
        #expect(try vaka("act", "swipe", "1", "2", "3", "4", "--duration", "50").status == .exited(0))
        #expect(try vaka("act", "long-press", "buy", "--duration", "20").status == .exited(0))
        #expect(shop.host.performed.map(\.kind) == [.tap, .insertText, .clearText, .scroll, .swipe, .longPress])
        guard case .insertText(_, "search", "red shoes") = shop.host.performed[1] else { return #expect(Bool(false)) }
        guard case .scroll(_, _, ScreenPoint(x: 0, y: -40.5)) = shop.host.performed[3] else {
            return #expect(Bool(false))
        }
    }

    /// Where no list of processes has it.
    @Test func aTextMayComeOnStandardInput() throws {
        let result = try ChildProcess.run(
            BuildProducts.executable("vaka"), ["act", "insert-text", "password", "--stdin"],
            environment: ["VAKA_OBSERVATION_SOCKET": shop.socketPath], input: Data("two\nlines\n".utf8))
        #expect(result.status == .exited(0), "\(result.errors)")
        guard case .insertText(_, "password", "two\nlines") = shop.host.performed.first else {
            return #expect(Bool(false))
        }
    }

    @Test func whatIsNotDoneIsStatusOneWithTheReason() throws {
        let stale = try vaka("act", "tap", "buy", "--observation", "7", "--format", "json")
        #expect(stale.status == .exited(1) && stale.errors == "vaka: it was not done: stale_observation\n")
        #expect(try ModelCoding.decode(ObservationActionResult.self, from: stale.outputData).success == false)
        let invalid = try vaka("act", "--json", #"{"explode":{}}"#)
        #expect(invalid.status == .exited(1) && invalid.errors.contains("invalid_action"))
        let whole = #"{"tap":{"observationIdentity":"7","elementId":"buy"}}"#
        #expect(try vaka("act", "--json", whole).errors.contains("stale_observation"))
        let other = try vaka("act", "tap", "buy", "--program", "bank")
        #expect(other.status == .exited(1) && other.errors.contains("bridge_unavailable"))
        let web = try vaka("act", "click", "e1", "--web-view", "nothing")
        #expect(web.status == .exited(1) && web.errors.contains("bridge_unavailable"))
        #expect(try vaka("observe", "--web").errors.contains("bridge_unavailable"))
        #expect(shop.host.performed.isEmpty)
    }

    @Test(arguments: [
        ["observe", "x"], ["observe", "--state", "--web"], ["observe", "--format", "xml"], ["act"],
        ["act", "explode", "x"],
        ["act", "tap"], ["act", "tap", "a", "b"], ["act", "scroll", "list", "1"], ["act", "scroll", "list", "a", "b"],
        ["act", "tap", "buy", "--observation", "x"], ["act", "long-press", "buy", "--duration", "60001"],
        ["act", "tap", "buy", "--json", "{}"], ["act", "run", "e1", "--web-view", "shop"],
        ["observe", "--url", "http://10.0.0.1:80", "--token", "t"],
        ["observe", "--socket", "/s", "--url", "http://127.0.0.1:1"],
    ])
    func wrongUsageIsStatusTwo(arguments: [String]) throws {
        let result = try ChildProcess.run(
            BuildProducts.executable("vaka"), arguments, environment: ["VAKA_OBSERVATION_SOCKET": shop.socketPath])
        #expect(result.status == .exited(2) && result.errors.hasPrefix("vaka: ") && result.output.isEmpty)
    }

    @Test func whatIsMissingIsNamed() throws {
        let result = try vaka("observe", socket: false)
        #expect(result.status == .exited(2) && result.errors.contains("VAKA_OBSERVATION_SOCKET"))
    }

    @Test func aPageIsPrintedAndDriven() async throws {
        let page = SaidPage(shop)
        try await page.post([SaidPage.element("e1", label: "Pay", y: 5)])
        let obeying = page.obey { $0 == "click e1" }
        let text = try vaka("observe", "--web")
        #expect(
            text.output.contains("web view basket, snapshot ") && text.output.contains("button e1  0,5 100×20  \"Pay\"")
        )
        #expect(try vaka("act", "click", "e1", "--web-view", "basket").output == "done\n")
        let failed = try vaka("act", "focus", "e1", "--web-view", "basket")
        #expect(failed.status == .exited(1) && failed.errors.contains("javascript_error"))
        page.bridge.detach()
        try await obeying.value
    }
}
