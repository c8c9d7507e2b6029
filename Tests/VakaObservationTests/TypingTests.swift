// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import ObservationClient
import Synchronization
import TestSupport
import Testing
import VakaModel
import VakaObservation

/// Typing: which side gets which command.
@Suite struct TypingTests {
    private let search = ScreenSelector(elementId: "search")

    private func backends(_ results: [DriverResult]) -> [String] {
        results.map { "\($0.backend?.rawValue ?? "-") \($0.fallbackReason?.rawValue ?? "-")" }
    }

    // MARK: Fields of the bridge

    @Test func aFieldOfTheBridgeIsTypedIntoThroughIt() throws {
        let setup = try DriverSetup()
        let results = try setup.driver.sendKeys([.clear, .type("red"), .replace("blue")], into: search)
        #expect(backends(results) == ["sdk -", "sdk -", "sdk -"])
        #expect(setup.shop.host.performed.map(\.kind) == [.clearText, .insertText, .clearText, .insertText])
        // The focus tap stays with the fallback, which may have to stand in.
        #expect(setup.fallback.done == ["tap 110,70"])
    }

    /// Each accepted action's capture is what the next goes by.
    @Test func observationsMoveWithTheTyping() throws {
        let setup = try DriverSetup()
        _ = try setup.driver.sendKeys([.type("a"), .type("b"), .clear], into: search)
        let identities = setup.shop.host.performed.map(\.observationIdentity.rawValue)
        // One observation to find it, one since it has the focus, and those of the actions.
        #expect(identities == [0, 1, 2].map { (1 << 60) + 1 + $0 })
    }

    @Test func keysAreTheFallbacksAndTheFieldIsForgotten() throws {
        let setup = try DriverSetup()
        let results = try setup.driver.sendKeys([.type("a"), .press(.search), .type("b")], into: search)
        #expect(backends(results) == ["sdk -", "fallback unsupported", "- -"])
        let tabbed = try setup.driver.sendKeys([.press(.tab), .type("c"), .clear], into: search)
        #expect(backends(tabbed) == ["- -", "- -", "- -"])
        #expect(setup.fallback.done.suffix(3) == ["press tab", "type c", "clear"])
        #expect(setup.shop.host.performed.count == 1)
    }

    @Test func withoutASelectorItIsTheFallbacks() throws {
        let setup = try DriverSetup()
        #expect(backends(try setup.driver.sendKeys([.type("a"), .clear])) == ["- -", "- -"])
        #expect(setup.fallback.done == ["type a", "clear"])
    }

    @Test func typingFallsBackAndFailsClosedAsTapsDo() throws {
        let setup = try DriverSetup(actions: [.insertText])
        let results = try setup.driver.sendKeys([.clear, .type("a"), .replace("b")], into: search)
        // A command that used both reports the fallback.
        #expect(backends(results) == ["fallback unsupported", "sdk -", "fallback unsupported"])
        setup.shop.host.change { $0.refusal = .actionQueueOverloaded }
        let (driver, search) = (setup.driver, search)
        #expect(
            setup.reason { () throws(DriverError) in _ = try driver.sendKeys([.type("c")], into: search) }
                == "action_queue_overloaded")
        #expect(setup.fallback.done.filter { $0.hasPrefix("type") }.isEmpty)
    }

    // MARK: Fields of a page

    private func page(_ elements: [WebElement]) async throws -> (DriverSetup, SaidPage) {
        let view = ScreenNode(bounds: DriverSetup.screen, role: .webView)
        let setup = try DriverSetup(actions: nil, fallback: [view])
        let page = SaidPage(setup.shop)
        try await page.post(elements)
        return (setup, page)
    }

    private static let field = SaidPage.element("q", role: "input", label: "Search", inputType: "search")

    @Test func aFieldOfAPageIsReplacedThroughIt() async throws {
        let (setup, page) = try await page([Self.field])
        let told = Mutex<[String]>([])
        // Every change makes a new snapshot, of the same document.
        let obeying = page.obey { command in
            told.withLock { $0.append(command) }
            try await page.post([Self.field])
            return true
        }
        let selector = ScreenSelector(text: "search")
        let results = try setup.driver.sendKeys([.replace("red"), .press(.done), .type("more")], into: selector)
        #expect(backends(results) == ["sdk -", "sdk -", "- -"])
        #expect(told.withLock { $0 } == ["clear q", "setValue q red", "submit q"])
        let typed = try setup.driver.sendKeys([.clear, .type("x"), .press(.next)], into: selector)
        #expect(backends(typed) == ["sdk -", "fallback unsupported", "fallback unsupported"])
        page.bridge.detach()
        try await obeying.value
    }

    /// More changes than a web view keeps snapshots of.
    @Test func typingInAPageGoesByItsLatestSnapshot() async throws {
        let (setup, page) = try await page([Self.field])
        let told = Mutex<[String]>([])
        let obeying = page.obey { command in
            told.withLock { $0.append(command) }
            try await page.post([Self.field])
            return true
        }
        let texts = ["a", "b", "c", "d"]
        let results = try setup.driver.sendKeys(texts.map { .replace($0) }, into: ScreenSelector(text: "search"))
        #expect(backends(results) == texts.map { _ in "sdk -" })
        #expect(told.withLock { $0 } == texts.flatMap { ["clear q", "setValue q \($0)"] })
        page.bridge.detach()
        try await obeying.value
    }

    /// What was begun in a page is not ended in the next, nor by the fallback where the field has gone.
    @Test(arguments: ["d1", "d2"]) func aPageThatChangesWhileTypingFailsClosed(documentId: String) async throws {
        let (setup, page) = try await page([Self.field])
        let obeying = page.obey { command in
            var next = page
            next.documentId = documentId
            let moved = next
            try await moved.post(documentId == "d1" ? [] : [Self.field])
            return command == "clear q"
        }
        let driver = setup.driver
        let reason = setup.reason { () throws(DriverError) in
            _ = try driver.sendKeys([.replace("a")], into: ScreenSelector(text: "Search"))
        }
        #expect(reason != nil && setup.fallback.done.count == 1)
        page.bridge.detach()
        try await obeying.value
    }

    @Test func otherEditorsOfAPageAreTheFallbacks() async throws {
        let (setup, _) = try await page([SaidPage.element("e", role: "div", label: "Editor")])
        let results = try setup.driver.sendKeys([.replace("a"), .clear], into: ScreenSelector(text: "Editor"))
        #expect(backends(results) == ["- -", "- -"])
    }

    @Test func aFieldThatLeftThePageIsTheFallbacks() async throws {
        let (setup, page) = try await page([Self.field])
        let fallback = setup.fallback
        fallback.onTap = { _ = try? waitFor { try await page.post([]) } }
        let results = try setup.driver.sendKeys([.clear], into: ScreenSelector(text: "Search"))
        #expect(backends(results) == ["fallback unavailable"])
    }

    @Test func aFieldOfAnotherDocumentFailsClosed() async throws {
        let (setup, page) = try await page([Self.field])
        setup.fallback.onTap = {
            var next = page
            next.documentId = "d2"
            let moved = next
            _ = try? waitFor { try await moved.post([Self.field]) }
        }
        let driver = setup.driver
        let reason = setup.reason { () throws(DriverError) in
            _ = try driver.sendKeys([.clear], into: ScreenSelector(text: "Search"))
        }
        #expect(reason == "stale_snapshot" && setup.fallback.done.count == 1)
    }

    // MARK: Taps and searches in a page

    @Test func anElementOfAPageIsClickedThroughIt() async throws {
        let (setup, page) = try await page([SaidPage.element("pay", label: "Pay")])
        let told = Mutex<[String]>([])
        let obeying = page.obey { command in
            told.withLock { $0.append(command) }
            return told.withLock { $0.count } == 1
        }
        let pay = ScreenSelector(text: "pay")
        #expect(backends([try setup.driver.tapOn(pay)]) == ["sdk -"])
        let (driver, setupReason) = (setup.driver, setup.reason)
        #expect(setupReason { () throws(DriverError) in _ = try driver.tapOn(pay) } == "javascript_error")
        #expect(backends([try driver.tapOn(pay, .double)]) == ["fallback unsupported"])
        #expect(backends([try driver.tapOn(pay, .long(durationMs: 9))]) == ["fallback unsupported"])
        #expect(told.withLock { $0 } == ["click pay", "click pay"])
        let target = try #require(pay.find(in: driver.observe().root))
        for _ in 0..<4 { try await page.post([SaidPage.element("pay", label: "Pay")]) }
        #expect(setupReason { () throws(DriverError) in _ = try driver.tapOn(target) } == "stale_snapshot")
        setup.shop.webViews.unregister(page.bridge)
        #expect(backends([try driver.tapOn(target)]) == ["fallback unavailable"])
        page.bridge.detach()
        try await obeying.value
        #expect(setup.fallback.done.count == 3)
    }

    @Test func aSearchScrollsThePageFirst() async throws {
        let far = SaidPage.element("far", label: "“Sizes”", y: 5000)
        let (setup, page) = try await page([far, SaidPage.element("r", value: "secret", y: 5000, redacted: true)])
        let told = Mutex<[String]>([])
        let obeying = page.obey { command in
            told.withLock { $0.append(command) }
            try await page.post([SaidPage.element("far", label: "“Sizes”", y: 50)])
            return true
        }
        let stroke = Stroke(from: ScreenPoint(x: 1, y: 9), to: ScreenPoint(x: 1, y: 1))
        let found = try setup.driver.lookFor(ScreenSelector(text: "\"sizes\""), swiping: stroke)
        #expect(found.swipes == 0 && found.result.backend == .sdk && found.node.web?.elementId == "far")
        #expect(told.withLock { $0 } == ["scrollIntoView far"])
        // What names no single element of the page is swiped for, as ever.
        let partial = ScreenSelector(text: "size")
        let (driver, reason) = (setup.driver, setup.reason)
        for target in [partial, ScreenSelector(elementId: "far2"), ScreenSelector(text: "secret")] {
            #expect(
                reason { () throws(DriverError) in _ = try driver.lookFor(target, swiping: stroke, atMost: 1) }
                    == "no_target")
        }
        #expect(setup.fallback.done == ["swipe 300", "swipe 300", "swipe 300"] && told.withLock { $0.count } == 1)
        page.bridge.detach()
        try await obeying.value
    }

    @Test func aRejectedScrollFailsClosedAndAMissingBridgeSwipes() async throws {
        let far = SaidPage.element("far", label: "Sizes", y: 5000)
        let (setup, page) = try await page([far])
        let obeying = page.obey { _ in false }
        let stroke = Stroke(from: ScreenPoint(x: 1, y: 9), to: ScreenPoint(x: 1, y: 1))
        let (driver, sizes) = (setup.driver, ScreenSelector(text: "Sizes"))
        #expect(
            setup.reason { () throws(DriverError) in _ = try driver.lookFor(sizes, swiping: stroke) }
                == "javascript_error")
        #expect(setup.fallback.done.isEmpty)
        setup.shop.webViews.unregister(page.bridge)
        let fallback = setup.fallback
        fallback.onSwipe = {
            fallback.root.children.append(
                ScreenNode(bounds: ShopHost.at(0), contentDescription: "Sizes", role: .button))
        }
        let found = try driver.lookFor(sizes, swiping: stroke)
        #expect(found.swipes == 1 && found.result.backend == .fallback && found.result.fallbackReason == .unavailable)
        page.bridge.detach()
        try await obeying.value
    }
}

/// Runs asynchronous work from a callback that cannot wait otherwise.
private func waitFor(_ work: @escaping @Sendable () async throws -> Void) throws {
    let isDone = SharedFlag()
    Task(executorPreference: ServingExecutor.shared) {
        try? await work()
        isDone.set()
    }
    try eventually(seconds: 20) { isDone.isSet ? true : nil }
}

private final class SharedFlag: Sendable {
    private let state = Mutex(false)
    var isSet: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
}
